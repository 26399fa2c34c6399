//! Networks through the real binary: files that fit are used, all others are refused and the old
//! evaluation stays.

use std::fs;

use crate::util::{Engine, material, run};
use sextant_board::Board;
use sextant_eval::nnue::Network;
use tempfile::TempDir;

fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// White is a knight up.
const FEN: &str = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn shown(network: &Network) -> String {
    let board: Board = FEN.parse().unwrap();
    format!("{} cp for the side to move", network.value(&board))
}

/// What `eval` says.
fn evaluation(engine: &mut Engine) -> String {
    engine.send("eval");
    engine.until("Static evaluation").pop().unwrap()
}

/// The lines that answer a `setoption`.
fn set(engine: &mut Engine, name: &str, value: &str) -> String {
    engine
        .tell(&format!("setoption name {name} value {value}"))
        .join("\n")
}

#[test]
fn a_network_is_loaded_and_survives_every_bad_file() {
    let folder = TempDir::new().unwrap();
    let network = material(0);
    let good = network.to_bytes();
    let mut engine = Engine::start();
    engine.send(&format!("position fen {FEN}"));
    set(&mut engine, "Eval_Kind", "classical");
    let by_hand = evaluation(&mut engine);
    // A name with a space, as on many desktops.
    let path = write(&folder, "my net.nnue", &good);
    set(&mut engine, "EvalFile", &path);
    let said = set(&mut engine, "Eval_Kind", "nnue");
    assert!(said.contains(&format!("{:016x}", network.hash())), "{said}");
    assert!(said.contains("(768 mirrored -> 32)x2 -> 1"), "{said}");
    assert!(evaluation(&mut engine).contains(&shown(&network)));

    let changed = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    let bad: [(&str, Vec<u8>, &str); 8] = [
        ("empty", Vec::new(), "not a Sextant network"),
        (
            "foreign",
            b"\x7fELF\x02\x01\x01 and more".to_vec(),
            "not a Sextant network",
        ),
        ("header", good[..40].to_vec(), "cut short"),
        ("truncated", good[..good.len() / 2].to_vec(), "cut short"),
        ("longer", [&good[..], b"!"].concat(), "too long"),
        ("future", changed(8, 2), "format 2"),
        ("wide", changed(12, 48), "hidden layer of 48"),
        ("damaged", changed(5_000, 0x77), "damaged"),
    ];
    for (name, bytes, reason) in bad {
        let path = write(&folder, name, &bytes);
        let said = set(&mut engine, "EvalFile", &path);
        assert!(
            said.contains("info string") && said.contains(reason),
            "{name}: {said}"
        );
        assert!(said.contains("kept"), "{name}: {said}");
        assert!(
            evaluation(&mut engine).contains(&shown(&network)),
            "after {name}"
        );
    }
    let directory = folder.path().to_str().unwrap();
    for path in ["/nonexistent/net.nnue", directory] {
        let said = set(&mut engine, "EvalFile", path);
        assert!(
            said.contains("cannot read") && said.contains("kept"),
            "{said}"
        );
    }
    // It still plays, with the network that it has, and another fitting one takes its place.
    engine.go("nodes 2000");
    let other = material(3);
    let path = write(&folder, "other.nnue", &other.to_bytes());
    let said = set(&mut engine, "EvalFile", &path);
    assert!(said.contains(&format!("{:016x}", other.hash())), "{said}");
    assert!(evaluation(&mut engine).contains(&shown(&other)));
    set(&mut engine, "Eval_Kind", "classical");
    assert_eq!(evaluation(&mut engine), by_hand);
}

#[test]
fn without_a_network_the_engine_says_how_to_get_one() {
    let (status, out, err) = run(&["eval", FEN, "-o", "Eval_Kind=nnue"]);
    match Network::embedded() {
        Ok(network) => assert!(out.contains(&shown(&network)), "{out}"),
        Err(_) => {
            assert_eq!(status.code(), Some(2));
            assert!(err.contains("EvalFile"), "{err}");
        }
    }
}

#[test]
fn a_config_names_its_network_from_its_own_folder() {
    let folder = TempDir::new().unwrap();
    let network = material(1);
    write(&folder, "a.nnue", &network.to_bytes());
    let text = b"[eval]\nkind = \"nnue\"\nfile = \"a.nnue\"\n";
    let config = write(&folder, "net.toml", text);
    let (_, out, err) = run(&["eval", FEN, "--config", &config]);
    assert!(out.contains(&shown(&network)), "{out}{err}");
    let (_, out, err) = run(&["bench", "16", "1", "1", "--config", &config]);
    let named = format!("network {:016x}", network.hash());
    assert!(out.contains(&named), "{out}{err}");
}
