//! Network files: what was written is read, and nothing else is.

use sextant_board::{Board, Color, Piece, Square};
use sextant_eval::nnue::{
    Architecture, FEATURE_MAX, FEATURES, NetError, Network, OUTPUT_MAX, Parameters, Perspective,
};

use crate::common::random_network;

fn buckets() -> Architecture {
    Architecture::new(64, std::array::from_fn(|i| (i / 16) as u8), 8).unwrap()
}

#[test]
fn a_file_is_read_as_it_was_written() {
    for architecture in [Architecture::plain(32).unwrap(), buckets()] {
        let network = random_network(architecture, 7);
        let bytes = network.to_bytes();
        let again = Network::from_bytes(&bytes).unwrap();
        assert!(again == network);
        assert_eq!(again.to_bytes(), bytes);
        assert_eq!(again.hash(), network.hash());
    }
}

#[test]
fn damage_anywhere_is_noticed() {
    let bytes = random_network(Architecture::plain(32).unwrap(), 1).to_bytes();
    for at in (0..64).chain((64..bytes.len()).step_by(997)) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        assert!(Network::from_bytes(&damaged).is_err(), "byte {at}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let bytes = random_network(Architecture::plain(32).unwrap(), 2).to_bytes();
    let read = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err();
    assert_eq!(read(b""), NetError::Foreign);
    assert_eq!(read(b"\x7fELF and so on"), NetError::Foreign);
    let whole = bytes.len();
    let longer = [&bytes[..], &[0]].concat();
    for found in [20, 5_000, whole - 1, whole + 1] {
        let wanted = if found < 64 { 64 } else { whole };
        assert_eq!(read(&longer[..found]), NetError::Length { found, wanted });
    }
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        read(&bytes)
    };
    let (found, wanted) = (9, 1);
    assert_eq!(changed(8, 9), NetError::Version { found, wanted });
    assert_eq!(changed(12, 33), NetError::Hidden(33));
    assert_eq!(changed(15, 1), NetError::Reserved(1));
    assert!(matches!(changed(3000, 0x55), NetError::Hash { .. }));
    assert!(read(&bytes[..100]).to_string().contains("cut short"));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let architecture = || Architecture::plain(1024).unwrap();
    let good = Parameters {
        feature_weights: vec![FEATURE_MAX; FEATURES * 1024],
        feature_biases: vec![-FEATURE_MAX; 1024],
        output_weights: vec![16; 2048],
        output_biases: vec![i32::MAX],
        scale: 400,
    };
    let refused = |change: fn(&mut Parameters)| {
        let mut parameters = good.clone();
        change(&mut parameters);
        Network::new(architecture(), &parameters).unwrap_err()
    };
    assert!(Network::new(architecture(), &good).is_ok());
    assert_eq!(
        refused(|p| p.feature_weights[70_000] = FEATURE_MAX + 1),
        NetError::FeatureWeight(FEATURE_MAX + 1)
    );
    assert_eq!(
        refused(|p| p.feature_biases[9] = i16::MIN),
        NetError::FeatureWeight(i16::MIN)
    );
    assert_eq!(
        refused(|p| p.output_weights[2047] = -OUTPUT_MAX - 1),
        NetError::OutputWeight(-OUTPUT_MAX - 1)
    );
    let overflow = refused(|p| p.output_weights.fill(-17));
    assert!(matches!(overflow, NetError::Overflow { found: 34_816, .. }));
    assert_eq!(refused(|p| p.scale = 0), NetError::Scale(0));
    let count = refused(|p| p.output_biases.clear()).to_string();
    assert_eq!(count, "0 output biases, 1 expected by the architecture");
}

#[test]
fn the_largest_weights_give_the_largest_values_exactly() {
    // 512 * 64 * 255^2 is just within 32 bits.
    let architecture = Architecture::plain(256).unwrap();
    let parameters = Parameters {
        feature_weights: vec![FEATURE_MAX; FEATURES * 256],
        feature_biases: vec![FEATURE_MAX; 256],
        output_weights: vec![64; 512],
        output_biases: vec![0],
        scale: 100,
    };
    let network = Network::new(architecture, &parameters).unwrap();
    assert_eq!(network.value(&Board::startpos()), 51_200);
}

#[test]
fn one_weight_moves_the_value_by_what_it_is() {
    // A pawn on e4 of the side to move turns one neuron on by half: half * half * 2.0 * 400 cp.
    let architecture = Architecture::plain(32).unwrap();
    let board: Board = "4k3/8/8/8/4P3/8/8/3K4 w - - 0 1".parse().unwrap();
    let perspective = Perspective::of(&architecture, Color::White, &board);
    let pawn = perspective.feature(Color::White, Piece::Pawn, Square::E4);
    let mut parameters = Parameters {
        feature_weights: vec![0; FEATURES * 32],
        feature_biases: vec![0; 32],
        output_weights: vec![0; 64],
        output_biases: vec![255 * 64 / 100],
        scale: 400,
    };
    parameters.feature_weights[pawn * 32 + 5] = 128;
    parameters.output_weights[5] = OUTPUT_MAX;
    let network = Network::new(architecture, &parameters).unwrap();
    let sum = 128 * 128 * i32::from(OUTPUT_MAX) / 255 + 163;
    assert_eq!(network.value(&board), sum * 400 / (255 * 64));
    assert_eq!(network.value(&board), 203);
    assert_eq!(network.shares(&board), [(Square::E4, 200)]);
    let black: Board = "4k3/8/8/8/4P3/8/8/3K4 b - - 0 1".parse().unwrap();
    assert_eq!(network.value(&black), 163 * 400 / (255 * 64));
}
