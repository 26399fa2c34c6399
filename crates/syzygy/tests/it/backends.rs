//! Both backends behind one surface; instances, threads, reopening.

use sextant_board::Random;
use sextant_syzygy::{Backend, Material, SyzygyError, Tablebase};

use crate::common::{PYRRHIC, bundled, native, random_position};

fn is_shared<T: Send + Sync>(_: &T) {}

#[test]
fn backends_agree_on_wdl() {
    let _turn = PYRRHIC.lock().unwrap();
    let ours = native(&bundled());
    let pyrrhic = Tablebase::open(&bundled(), Backend::Pyrrhic).unwrap();
    is_shared(&ours);
    let mut random = Random::new(7);
    let materials = ["KQvKR", "KRvKR", "KPvKP", "KBvKN", "KPvK", "KQvK"];
    let mut seen = 0;
    while seen < 20_000 {
        let material = Material::parse(materials[random.below(materials.len())]).unwrap();
        if let Some(board) = random_position(&mut random, material) {
            let wdl = ours.probe_wdl(&board);
            assert_eq!(wdl, pyrrhic.probe_wdl(&board), "{board}");
            assert_eq!(ours.dtz(&board), pyrrhic.dtz(&board), "{board}");
            seen += 1;
        }
    }
}

#[test]
fn a_second_pyrrhic_is_refused_and_reopening_works() {
    let _turn = PYRRHIC.lock().unwrap();
    for _ in 0..3 {
        let first = Tablebase::open(&bundled(), Backend::Pyrrhic).unwrap();
        let second = Tablebase::open(&bundled(), Backend::Pyrrhic);
        assert!(matches!(second, Err(SyzygyError::PyrrhicBusy)));
        let board = "8/8/8/8/8/2k5/8/K6q w - - 0 1".parse().unwrap();
        assert!(first.wdl(&board).is_some());
    }
}

#[test]
fn threads_share_one_instance_and_instances_share_a_process() {
    let tables = native(&bundled());
    let other = native(&bundled());
    let material = Material::parse("KQvKR").unwrap();
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let (tables, other) = (&tables, &other);
            scope.spawn(move || {
                let mut random = Random::new(seed);
                for _ in 0..5_000 {
                    if let Some(board) = random_position(&mut random, material) {
                        assert_eq!(tables.dtz(&board), other.dtz(&board));
                    }
                }
            });
        }
    });
}
