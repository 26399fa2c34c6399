//! `sextant annotate` on games of all dialects: nothing is lost, broken games are named, and a run
//! that was killed goes on.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use serde_json::Value;
use sextant_board::{PgnGame, PgnItem, PgnReader, decode_pgn};
use tempfile::TempDir;

use crate::util::{binary, run, wait};

fn testdata(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/pgn");
    folder.join(name)
}

fn games(path: &Path) -> Vec<PgnGame> {
    let text = decode_pgn(&fs::read(path).unwrap());
    let mut reader = PgnReader::new(&text);
    std::iter::from_fn(|| reader.next_game().unwrap()).collect()
}

/// Are all items of `old` in `new`, in their order?
fn keeps(old: &[PgnItem], new: &[PgnItem]) -> bool {
    let mut new = new.iter();
    old.iter().all(|item| new.any(|kept| kept == item))
}

fn annotate(file: &Path, folder: &TempDir, more: &[&str]) -> (Option<i32>, String, String) {
    let out = folder.path().join("out.pgn");
    let fixed = [
        "annotate",
        file.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    run(&[&fixed[..], more].concat())
}

fn data(page: &str) -> Value {
    let data = page.split("id=\"data\">").nth(1).unwrap();
    serde_json::from_str(data.split("</script>").next().unwrap()).unwrap()
}

#[test]
fn no_move_comment_variation_or_tag_is_lost() {
    let mut count = 0;
    for (name, least) in [
        ("dialects.pgn", 51),
        ("windows-1252.pgn", 3),
        ("bom.pgn", 2),
    ] {
        let folder = TempDir::new().unwrap();
        let html = folder.path().join("page.html");
        let more = ["--nodes", "200", "--threads", "2", "--hash", "1", "--html"];
        let (code, out, err) = annotate(
            &testdata(name),
            &folder,
            &[&more[..], &[html.to_str().unwrap()]].concat(),
        );
        assert_eq!(code, Some(0), "{name}: {err}");
        let (before, after) = (
            games(&testdata(name)),
            games(&folder.path().join("out.pgn")),
        );
        assert_eq!((before.len(), after.len()), (least, least), "{name}");
        for (old, new) in before.iter().zip(&after) {
            let text = new.to_text();
            assert!(keeps(&old.items, &new.items), "{text}");
            assert!(old.tags.iter().all(|tag| new.tags.contains(tag)), "{text}");
            assert_eq!(old.start, new.start);
            assert!(old.moves().eq(new.moves()), "{text}");
            let known = |result: &PgnGame| result.result.clone();
            assert!(known(old).is_none() || known(old) == known(new), "{text}");
            count += 1;
        }
        assert!(out.contains(" % ("), "{out}");
        let page = fs::read_to_string(html).unwrap();
        assert!(!page.contains("src=") && !page.contains("href=") && !page.contains("url("));
        let data = data(&page);
        assert_eq!(data["games"].as_array().unwrap().len(), least);
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 2, "the journal is gone");
    }
    assert!(count >= 50);
    let text = fs::read_to_string(testdata("dialects.pgn")).unwrap();
    let comments = text.matches(['{', ';']).count();
    assert!(comments > 200, "the test data has comments to lose");
}

#[test]
fn broken_games_are_named_and_the_others_annotated() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.pgn");
    let text = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4\n1... Ke3 *\n\n[White \"C\"]\n\n1. d4 *\n";
    fs::write(&file, text).unwrap();
    let html = folder.path().join("page.html");
    let options = ["--nodes", "100", "--skip", "1", "--html"];
    let (code, out, err) = annotate(
        &file,
        &folder,
        &[&options[..], &[html.to_str().unwrap()]].concat(),
    );
    assert_eq!(code, Some(1), "{err}");
    assert!(
        err.contains("games.pgn: line 8: game 2: \"Ke3\" is not exactly one legal"),
        "{err}"
    );
    assert!(err.contains("1 game could not be read"), "{err}");
    // A game has its number in the file, whatever became of those before it.
    assert!(out.contains("   1  A no move judged"), "{out}");
    assert!(out.contains("   3  C no move judged"), "{out}");
    let page = data(&fs::read_to_string(html).unwrap());
    assert_eq!(page["games"][1]["number"], 3);
    assert_eq!(games(&folder.path().join("out.pgn")).len(), 2);
    // What is there is not overwritten, and what holds no game makes nothing.
    let (code, _, err) = annotate(&file, &folder, &["--nodes", "100"]);
    assert!(
        code == Some(2) && err.contains("out.pgn: it is there already"),
        "{err}"
    );
    let empty = TempDir::new().unwrap();
    fs::write(&file, "1. e4 Ke3").unwrap();
    let (code, _, err) = annotate(&file, &empty, &[]);
    assert!(
        code == Some(2) && err.contains("1 broken game and no other"),
        "{err}"
    );
    fs::write(&file, "\n").unwrap();
    let (code, _, err) = annotate(&file, &empty, &[]);
    assert!(
        code == Some(2) && err.contains("games.pgn holds no game: a game is"),
        "{err}"
    );
    let (code, _, err) = annotate(&folder.path().join("none.pgn"), &empty, &[]);
    assert!(code == Some(2) && err.contains("cannot read"), "{err}");
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_file() {
    let (whole, torn) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let file = testdata("windows-1252.pgn");
    let options = ["--nodes", "20000", "--hash", "1"];
    let with_page = |folder: &TempDir| {
        let page = folder.path().join("page.html");
        let more = [&options[..], &["--html", page.to_str().unwrap()]].concat();
        annotate(&file, folder, &more).0
    };
    assert_eq!(with_page(&whole), Some(0));
    let out = torn.path().join("out.pgn");
    let mut child = binary()
        .args([
            "annotate",
            file.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
        ])
        .args(options)
        .spawn()
        .unwrap();
    let journal = torn.path().join("out.pgn.progress");
    // How the journal is made stands beside it before the first search.
    while !torn.path().join("out.pgn.progress.toml").exists() {
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    wait(&mut child);
    assert!(!out.exists(), "nothing half-written");
    let mut lines = fs::read(&journal).unwrap();
    lines.extend(b"{\"score\":12,\"dep");
    fs::write(&journal, lines).unwrap();
    let (code, _, err) = annotate(&file, &torn, &["--nodes", "30000", "--hash", "1"]);
    assert!(
        code == Some(2) && err.contains("was made in another way: limits was"),
        "{err}"
    );
    assert_eq!(with_page(&torn), Some(0));
    for name in ["out.pgn", "page.html"] {
        let text = |folder: &TempDir| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text(&whole), text(&torn), "{name}");
    }
}

/// The moves that the engine marks.
fn marked(page: &Value) -> Vec<&Value> {
    let games = page["games"].as_array().unwrap().iter();
    let items = games.flat_map(|game| game["items"].as_array().unwrap());
    items.filter(|item| item["b"] == true).collect()
}

#[test]
fn a_marked_move_has_the_tree_of_its_search() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.pgn");
    let game = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n";
    fs::write(&file, game.repeat(25)).unwrap();
    let page_of = |name: &str, threads: &str| {
        let folder = TempDir::new().unwrap();
        let html = folder.path().join(name);
        let options = [
            "--nodes",
            "5000",
            "--hash",
            "1",
            "--threads",
            threads,
            "--html",
        ];
        let more = [&options[..], &[html.to_str().unwrap()]].concat();
        let (code, _, err) = annotate(&file, &folder, &more);
        assert_eq!(code, Some(0), "{err}");
        fs::read_to_string(html).unwrap()
    };
    let text = page_of("one.html", "1");
    assert_eq!(text, page_of("two.html", "2"), "threads change nothing");
    assert!(text.len() < 6 << 20, "{} bytes", text.len());
    let page = data(&text);
    let (trees, marked) = (page["trees"].as_array().unwrap(), marked(&page));
    assert!(marked.len() >= 25, "each game has a blunder");
    let left = format!("20 of {} marked moves have a search tree", marked.len());
    assert!(page["left"].as_str().unwrap().starts_with(&left));
    assert_eq!(trees.len(), 20);
    let with_tree: Vec<_> = marked.iter().filter(|mv| mv["t"].is_u64()).collect();
    assert_eq!(with_tree.len(), 20);
    for mv in with_tree {
        let tree = &trees[mv["t"].as_u64().unwrap() as usize];
        let rows = tree["rows"].as_array().unwrap();
        assert!((2..=2_000).contains(&rows.len()), "{}", rows.len());
        // The tree begins where the move was played, so it is among the moves that were tried.
        let words = tree["words"].as_array().unwrap();
        assert!(words.contains(&mv["m"]), "{}", mv["m"]);
    }
}
