//! Files that are truncated, grown, replaced or removed while tables are in use: every probe gives
//! the right answer or a typed error, and none waits.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use sextant_board::Random;
use sextant_syzygy::{Options, ProbeError, TableKind, TableSource, Tablebase};

use crate::common::{bundled, folder, id, material, native, original, random_positions};

const KQVKR: &str = "8/3r4/8/8/8/2k5/8/K6Q w - - 0 1";
const TABLES: [&str; 5] = [
    "KQvKR.rtbw",
    "KQvKR.rtbz",
    "KQvK.rtbw",
    "KRvK.rtbw",
    "KQvK.rtbz",
];

/// Whole tables, pages, and pages that are read anew for every probe.
fn all_options() -> [Options; 3] {
    let whole = Options::default();
    let pages = Options {
        whole_bytes: 0,
        ..whole.clone()
    };
    let uncached = Options {
        page_bytes: 0,
        ..pages.clone()
    };
    [whole, pages, uncached]
}

/// A way to change a file.
type Change = (&'static str, fn(&Path));

fn changes() -> Vec<Change> {
    let mut changes: Vec<Change> = vec![
        ("truncated to nothing", |path| {
            File::create(path).unwrap();
        }),
        ("truncated", |path| {
            let file = File::options().write(true).open(path).unwrap();
            file.set_len(file.metadata().unwrap().len() / 128 * 64 + 16)
                .unwrap();
        }),
        ("grown", |path| {
            let file = File::options().write(true).open(path).unwrap();
            file.set_len(file.metadata().unwrap().len() + 64).unwrap();
        }),
        ("overwritten by another table", |path| {
            fs::write(path, original("KRvKR.rtbw")).unwrap();
        }),
        ("replaced by another table", |path| {
            let other = path.with_extension("new");
            fs::write(&other, original("KRvKR.rtbw")).unwrap();
            fs::rename(other, path).unwrap();
        }),
        ("replaced by a folder", |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        }),
        ("removed", |path| fs::remove_file(path).unwrap()),
    ];
    if cfg!(unix) {
        changes.push(("replaced by a named pipe", |path| {
            fs::remove_file(path).unwrap();
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.unwrap().success());
        }));
    }
    changes
}

/// A fresh folder of a few tables, opened.
fn opened(test: &str, options: &Options) -> (PathBuf, Tablebase) {
    let path = folder(test);
    for name in TABLES {
        fs::write(path.join(name), original(name)).unwrap();
    }
    let tables = Tablebase::open_with(path.to_str().unwrap(), options).unwrap();
    (path.join(TABLES[0]), tables)
}

#[test]
fn before_the_first_probe() {
    let board = KQVKR.parse().unwrap();
    let damaged = Err(ProbeError::Corrupt(id("KQvKR", TableKind::Wdl)));
    for (name, change) in changes() {
        for options in all_options() {
            let (file, tables) = opened("before", &options);
            change(&file);
            for _ in 0..2 {
                assert_eq!(tables.probe_wdl(&board), damaged, "{name}");
            }
            let told = tables.take_failures();
            let is_named = told.len() == 1 && told[0].contains("KQvKR.rtbw: ");
            assert!(is_named, "{name}: {told:?}");
            assert!(tables.take_failures().is_empty(), "{name}");
        }
    }
}

#[test]
fn under_running_probes() {
    let right = native(&bundled());
    for (name, change) in changes() {
        for options in all_options() {
            let (file, tables) = opened("under", &options);
            let (probes, changed) = (AtomicUsize::new(0), AtomicBool::new(false));
            // Goes on for some time after the change; counts refusals.
            let probe = &|seed| {
                let (mut refused, mut after) = (0, 0);
                for board in random_positions(seed, vec![material("KQvKR")]) {
                    if after == 300 {
                        break;
                    }
                    after += usize::from(changed.load(Ordering::Relaxed));
                    match tables.dtz(&board) {
                        Ok(dtz) => assert_eq!(Ok(dtz), right.dtz(&board), "{name}: {board}"),
                        Err(ProbeError::Corrupt(_)) => refused += 1,
                        Err(error) => panic!("{name}: {error}"),
                    }
                    probes.fetch_add(1, Ordering::Relaxed);
                }
                refused
            };
            let refused: usize = std::thread::scope(|scope| {
                let probers = [1, 2].map(|seed| scope.spawn(move || probe(seed)));
                while probes.load(Ordering::Relaxed) < 100 && !probers[0].is_finished() {
                    std::thread::yield_now();
                }
                change(&file);
                changed.store(true, Ordering::Relaxed);
                probers.map(|prober| prober.join().unwrap()).iter().sum()
            });
            // What is in memory goes on; what must be read again is refused.
            match (options.whole_bytes, options.page_bytes) {
                (0, 0) => assert!(refused >= 300, "{name}: {refused}"),
                (0, _) => {}
                _ => assert_eq!(refused, 0, "{name}"),
            }
        }
    }
}

#[test]
fn with_verify_a_mutated_table_is_refused() {
    let mut random = Random::new(5);
    for options in all_options() {
        let options = Options {
            verify: true,
            ..options
        };
        for round in 0..20 {
            let (file, tables) = opened("mutated", &options);
            let mut bytes = fs::read(&file).unwrap();
            if round > 0 {
                let at = 4 + random.below(bytes.len() - 4);
                bytes[at] ^= 1 << random.below(8);
            }
            fs::write(&file, bytes).unwrap();
            let answer = tables.wdl(&KQVKR.parse().unwrap());
            assert_eq!(answer.is_some(), round == 0);
            let told = tables.take_failures();
            assert_eq!(told.len(), usize::from(round > 0));
            let damaged = |line: &String| {
                let (_, why) = line.split_once("KQvKR.rtbw: ").unwrap();
                why.starts_with("checksum is") || why.contains("header")
            };
            assert!(told.iter().all(damaged), "{told:?}");
        }
    }
}

#[test]
fn whole_tables_pages_and_memory_agree() {
    let whole = native(&bundled());
    let sources = whole.inventory().tables().map(|(id, file)| {
        let source: Arc<dyn TableSource> = Arc::new(fs::read(&file.path).unwrap());
        (id, source)
    });
    let memory = Tablebase::of_sources(sources, &Options::default());
    // Pages of everything, and pages of blocks alone.
    let paged = [0, 30_000].map(|whole_bytes| {
        let options = Options {
            whole_bytes,
            page_bytes: 100_000,
            ..Options::default()
        };
        Tablebase::open_with(bundled(), &options).unwrap()
    });
    let materials = ["KQvKR", "KPvKP", "KRvKR", "KQvKQ"].map(material);
    for board in random_positions(3, materials.to_vec()).take(10_000) {
        let right = whole.dtz(&board);
        for tables in paged.iter().chain([&memory]) {
            assert_eq!(tables.dtz(&board), right, "{board}");
        }
    }
}
