//! Network files: what was written is read, and nothing else is.

use sextant_board::{Board, Color, Piece, Square};
use sextant_eval::nnue::{
    Architecture, FEATURE_MAX, FEATURES, LAYER_1, LAYER_ONE, Layers, NetError, Network, OUTPUT_MAX,
    Parameters, Perspective, RELATION_ONE, RELATIONS, Rest, STACK_WEIGHT_ONE, Stack,
};

use crate::random_network::random_network;

const THREE: Layers = Layers::Three { relations: false };
const RELATED: Layers = Layers::Three { relations: true };

fn buckets() -> Architecture {
    Architecture::new(64, std::array::from_fn(|i| (i / 16) as u8), 8).unwrap()
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let deep = [THREE, RELATED].map(|layers| buckets().with_layers(layers).unwrap());
    let flat = [Architecture::plain(32).unwrap(), buckets()];
    for architecture in flat.into_iter().chain(deep) {
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
    let deep = Architecture::plain(64).unwrap().with_layers(RELATED);
    for architecture in [Architecture::plain(32).unwrap(), deep.unwrap()] {
        let bytes = random_network(architecture, 1).to_bytes();
        for at in (0..64).chain((64..bytes.len()).step_by(997)) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Network::from_bytes(&damaged).is_err(), "byte {at}");
        }
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
    assert!(read(&bytes[..100]).to_string().contains("cut short"));
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        read(&bytes)
    };
    for version in [2, 9] {
        let refused = changed(8, version);
        assert_eq!(refused, NetError::Version(version.into()));
        assert!(
            refused.to_string().ends_with("reads 1, 3 and 4"),
            "{refused}"
        );
    }
    assert_eq!(changed(12, 33), NetError::Hidden(33));
    assert!(matches!(changed(3000, 0x55), NetError::Hash { .. }));
    for (at, version, found, wanted) in [(15, 1, 1, 0), (8, 3, 0, 0x42)] {
        let value = if at == 15 { found } else { version };
        let layers = NetError::Layers {
            version: version.into(),
            found,
            wanted,
        };
        assert_eq!(changed(at, value), layers);
    }
    let of_pairs = random_network(buckets().with_layers(THREE).unwrap(), 2);
    let mut bytes = of_pairs.to_bytes();
    bytes[12] = 96;
    assert_eq!(read(&bytes), NetError::Halves(96));
    assert!(
        read(&of_pairs.to_bytes()[..9_000])
            .to_string()
            .contains("cut short")
    );
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let architecture = || Architecture::plain(1024).unwrap();
    let good = Parameters {
        feature_weights: vec![FEATURE_MAX; FEATURES * 1024],
        feature_biases: vec![-FEATURE_MAX; 1024],
        output_weights: vec![16; 2048],
        output_biases: vec![i32::MAX],
        stacks: Vec::new(),
        relation_weights: Vec::new(),
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
        stacks: Vec::new(),
        relation_weights: Vec::new(),
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
        stacks: Vec::new(),
        relation_weights: Vec::new(),
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

#[test]
fn a_pair_of_neurons_goes_through_the_layers_by_their_units() {
    let architecture = Architecture::plain(64).unwrap();
    let architecture = architecture.with_layers(THREE).unwrap();
    let board: Board = "4k3/8/8/8/4P3/8/8/3K4 w - - 0 1".parse().unwrap();
    let perspective = Perspective::of(&architecture, Color::White, &board);
    let pawn = perspective.feature(Color::White, Piece::Pawn, Square::E4);
    let mut rest: Rest = bytemuck::Zeroable::zeroed();
    rest.weights_2[4][2] = STACK_WEIGHT_ONE as i16;
    rest.weights_3[4] = STACK_WEIGHT_ONE as i16;
    rest.bias_3 = LAYER_ONE * STACK_WEIGHT_ONE / 10;
    let mut stack = Stack {
        weights_1: vec![0; 64 * LAYER_1],
        rest,
    };
    stack.weights_1[2 * 64 + 5] = 127;
    let mut parameters = Parameters {
        feature_weights: vec![0; FEATURES * 64],
        feature_biases: vec![0; 64],
        stacks: vec![stack],
        scale: 1_000,
        ..Parameters::default()
    };
    // The pawn turns neuron 5 on by half; its partner is on. Half of that, and a tenth.
    parameters.feature_weights[pawn * 64 + 5] = 128;
    parameters.feature_biases[32 + 5] = 255;
    let network = Network::new(architecture.clone(), &parameters).unwrap();
    assert!(
        (345..=351).contains(&network.value(&board)),
        "{}",
        network.value(&board)
    );
    let other: Board = "4k3/8/8/8/4P3/8/8/3K4 b - - 0 1".parse().unwrap();
    assert_eq!(network.value(&other), 99);

    let refused = |change: fn(&mut Parameters)| {
        let mut parameters = parameters.clone();
        change(&mut parameters);
        Network::new(architecture.clone(), &parameters).unwrap_err()
    };
    let sum = refused(|p| p.stacks[0].rest.weights_3 = [i16::MAX; 32]);
    assert!(matches!(sum, NetError::Sum { layer: 3, .. }));
    let count = refused(|p| p.stacks.clear()).to_string();
    assert_eq!(count, "0 stacks of layers, 1 expected by the architecture");
    let count = refused(|p| p.stacks[0].weights_1.truncate(5)).to_string();
    assert_eq!(
        count,
        "5 weights of a second layer, 1024 expected by the architecture"
    );
    let count = refused(|p| p.output_weights.push(0)).to_string();
    assert_eq!(count, "1 output weights, 0 expected by the architecture");
}

#[test]
fn a_relation_adds_its_weights_to_the_second_layer() {
    let architecture = Architecture::plain(64).unwrap();
    let architecture = architecture.with_layers(RELATED).unwrap();
    let mut rest: Rest = bytemuck::Zeroable::zeroed();
    rest.weights_2[4][2] = STACK_WEIGHT_ONE as i16;
    rest.weights_3[4] = STACK_WEIGHT_ONE as i16;
    let mut parameters = Parameters {
        feature_weights: vec![0; FEATURES * 64],
        feature_biases: vec![0; 64],
        stacks: vec![Stack {
            weights_1: vec![0; 64 * LAYER_1],
            rest,
        }],
        relation_weights: vec![0; RELATIONS * LAYER_1],
        scale: 1_000,
        ..Parameters::default()
    };
    // The number of kings that are seven moves apart, one for each side.
    for (number, weight) in [
        (511, RELATION_ONE / 4),
        (RELATIONS / 2 + 511, RELATION_ONE / 8),
    ] {
        parameters.relation_weights[LAYER_1 * number + 2] = weight as i16;
    }
    let network = Network::new(architecture.clone(), &parameters).unwrap();
    for (fen, value) in [
        ("4k3/8/8/8/4P3/8/8/3K4 w - - 0 1", 375),
        ("4k3/8/8/8/4P3/8/8/3K4 b - - 0 1", 375),
        ("8/4k3/8/8/4P3/8/8/3K4 b - - 0 1", 0),
    ] {
        assert_eq!(network.value(&fen.parse().unwrap()), value, "{fen}");
    }
    parameters.relation_weights.pop();
    let count = Network::new(architecture, &parameters).unwrap_err();
    assert_eq!(
        count.to_string(),
        "175935 weights of relations, 175936 expected by the architecture"
    );
}
