//! The parameters of a network, and its value computed the plain way.

use sextant_board::{BitBoard, Board, Color, Piece, Placed, Square};

use super::{
    architecture::{Architecture, Layers},
    error::NetError,
    features::Perspective,
    numbers::{
        ACTIVATION_ONE, Block, FEATURE_MAX, LAYER_1, LAYER_ONE, MAX_SCALE, OUTPUT_MAX,
        PRODUCT_HALF, PRODUCT_SHIFT, RELATION_STEP, RelationRow, STACK_WEIGHT_ONE, SUM_MAX,
        WEIGHT_ONE, blocks, numbers,
    },
    relations::{Relations, Sides},
    stack::{self, Stack},
};

/// The quantized parameters of a network, as training hands them over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// `hidden` numbers for each feature ([`Perspective::feature`]); one is [`ACTIVATION_ONE`], at
    /// most ±[`FEATURE_MAX`].
    pub feature_weights: Vec<i16>,
    /// `hidden` numbers, like the feature weights.
    pub feature_biases: Vec<i16>,
    /// With [`Layers::One`], for each output bucket `hidden` numbers for the side to move, then
    /// `hidden` for the other; one is [`WEIGHT_ONE`], at most ±[`OUTPUT_MAX`].
    pub output_weights: Vec<i16>,
    /// With [`Layers::One`], one number for each output bucket; one is `ACTIVATION_ONE *
    /// WEIGHT_ONE`.
    pub output_biases: Vec<i32>,
    /// With [`Layers::Three`], one for each output bucket.
    pub stacks: Vec<Stack>,
    /// [`LAYER_1`] numbers for each relation, where the architecture has them; one is
    /// [`RELATION_ONE`](super::RELATION_ONE).
    pub relation_weights: Vec<i16>,
    /// Centipawns for an output of one, 1 to [`MAX_SCALE`].
    pub scale: i32,
}

/// A network that was found fit to run.
#[derive(Clone, PartialEq, Eq)]
#[must_use]
pub struct Network {
    pub(super) architecture: Architecture,
    /// Rows of `architecture.blocks()`, one for each feature.
    pub(super) feature_weights: Box<[Block]>,
    pub(super) feature_biases: Box<[Block]>,
    /// For each output bucket two rows, the side to move's and the other's.
    pub(super) output_weights: Box<[Block]>,
    pub(super) output_biases: Box<[i32]>,
    /// One for each output bucket.
    pub(super) stacks: Box<[stack::Layers]>,
    /// One row for each relation, if there are any, and one of zeros for none of them.
    pub(super) relation_weights: Box<[RelationRow]>,
    pub(super) scale: i32,
}

impl Network {
    /// A network of these parameters.
    ///
    /// # Errors
    /// [`NetError`] if their number is not that of the architecture, or if a sum could overflow.
    pub fn new(architecture: Architecture, parameters: &Parameters) -> Result<Network, NetError> {
        let Parameters {
            feature_weights,
            feature_biases,
            output_weights,
            output_biases,
            stacks,
            relation_weights,
            scale,
        } = parameters;
        let found = [
            ("feature weights", feature_weights.len()),
            ("feature biases", feature_biases.len()),
            ("output weights", output_weights.len()),
            ("output biases", output_biases.len()),
            ("stacks of layers", stacks.len()),
            ("weights of relations", relation_weights.len()),
        ];
        let inputs = LAYER_1 * usize::from(architecture.hidden());
        let rows = stacks
            .iter()
            .map(|stack| ("weights of a second layer", stack.weights_1.len()));
        let wanted = architecture.sizes().into_iter();
        let wanted = wanted.chain(std::iter::repeat(inputs));
        let found = found.into_iter().chain(rows);
        for ((what, found), wanted) in found.zip(wanted) {
            if found != wanted {
                return Err(NetError::Count {
                    what,
                    found,
                    wanted,
                });
            }
        }
        if !(1..=MAX_SCALE).contains(scale) {
            return Err(NetError::Scale(*scale));
        }
        let bucket = 2 * usize::from(architecture.hidden());
        check(feature_weights, feature_biases, output_weights, bucket)?;
        stacks.iter().try_for_each(Stack::check)?;
        Ok(Network {
            architecture,
            feature_weights: blocks(feature_weights),
            feature_biases: blocks(feature_biases),
            output_weights: blocks(output_weights),
            output_biases: output_biases.clone().into_boxed_slice(),
            stacks: stacks.iter().map(stack::Layers::new).collect(),
            relation_weights: relation_rows(relation_weights),
            scale: *scale,
        })
    }

    /// The shape that this network was made for.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The rows of relations, without that of none of them.
    pub(super) fn known_relations(&self) -> &[RelationRow] {
        let split = self.relation_weights.split_last();
        split.map_or(&[], |(_, rows)| rows)
    }

    /// The parameters, as [`Network::new`] takes them.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            feature_weights: numbers(&self.feature_weights).to_vec(),
            feature_biases: numbers(&self.feature_biases).to_vec(),
            output_weights: numbers(&self.output_weights).to_vec(),
            output_biases: self.output_biases.to_vec(),
            stacks: self
                .stacks
                .iter()
                .map(|layers| layers.stack.clone())
                .collect(),
            relation_weights: bytemuck::cast_slice(self.known_relations()).to_vec(),
            scale: self.scale,
        }
    }

    /// The value in centipawns for the side to move of a board with these features (see
    /// [`Perspective`]) of the side to move and the other side, and these relations (which count only
    /// if the architecture has them).
    ///
    /// It is what the accumulators of a search give, computed one neuron at a time.
    ///
    /// # Panics
    /// If a feature is not below `768 * king buckets`, or the bucket not one of the architecture's.
    pub fn value_of(
        &self,
        own: impl Iterator<Item = usize>,
        other: impl Iterator<Item = usize>,
        relations: &[u16],
        output_bucket: usize,
    ) -> i32 {
        let sides = [self.neurons(own), self.neurons(other)];
        match self.architecture.layers() {
            Layers::One => {
                let size = 2 * usize::from(self.architecture.hidden());
                let weights = &numbers(&self.output_weights)[size * output_bucket..][..size];
                let neurons = sides.iter().flatten();
                let weighted = neurons
                    .zip(weights)
                    .map(|(neuron, &weight)| neuron * neuron * i32::from(weight));
                self.scaled(weighted.sum(), output_bucket)
            }
            Layers::Three { .. } => {
                let stack = &self.stacks[output_bucket].stack;
                let products: Vec<i32> = sides.iter().flat_map(|side| pairs(side)).collect();
                let mut sums = stack.rest.biases_1;
                for &relation in relations {
                    let row = self.relation_weights.get(usize::from(relation));
                    for (sum, weight) in sums.iter_mut().zip(row.into_iter().flat_map(|row| row.0))
                    {
                        *sum += RELATION_STEP * i32::from(weight);
                    }
                }
                let rows = stack.weights_1.chunks(products.len());
                for (sum, weights) in sums.iter_mut().zip(rows) {
                    let pairs = products.iter().zip(weights);
                    *sum += pairs.map(|(p, &w)| p * i32::from(w)).sum::<i32>();
                }
                let activations = stack::activations(sums);
                self.scaled_stack(stack.rest.output(stack.rest.third_layer(&activations)))
            }
        }
    }

    /// The value of a board in centipawns, for the side to move; see [`Network::value_of`].
    pub fn value(&self, board: &Board) -> i32 {
        self.value_without(board, None)
    }

    /// The value of a board from which a piece is taken, judged by the output weights of the whole
    /// board.
    fn value_without(&self, board: &Board, gone: Option<Placed>) -> i32 {
        let features = |us: Color| {
            let perspective = Perspective::of(&self.architecture, us, board);
            let gone = gone.map(|gone| perspective.of_piece(gone));
            let features = perspective.features(board);
            features.filter(move |&feature| Some(feature) != gone)
        };
        let us = board.side_to_move();
        let mut relations = Relations::default();
        relations.find(&Sides::seen_by(us, |color, piece| {
            let gone = gone.filter(|gone| (gone.color, gone.piece) == (color, piece));
            let gone = gone.map_or(BitBoard::EMPTY, |gone| gone.square.bitboard());
            board.colored_pieces(color, piece) & !gone
        }));
        let bucket = self.architecture.output_bucket(board.occupied().len());
        let relations = relations.numbers();
        self.value_of(features(us), features(!us), relations, bucket)
    }

    /// For each piece but the kings what it adds to the value in centipawns, from White's point of
    /// view: the value less the value without the piece, by the output weights of the whole board.
    ///
    /// The shares do not add up to the value: a network judges pieces together.
    pub fn shares(&self, board: &Board) -> Vec<(Square, i32)> {
        let us = board.side_to_move();
        let sign = if us == Color::White { 1 } else { -1 };
        let whole = self.value(board);
        let share = |square| {
            let found = board.piece_on(square).zip(board.color_on(square));
            let gone = found.map(|(piece, owner)| Placed::new(piece, owner, square));
            (square, sign * (whole - self.value_without(board, gone)))
        };
        let pieces = board.occupied() & !board.pieces(Piece::King);
        pieces.into_iter().map(share).collect()
    }

    /// The clipped neurons of a side.
    fn neurons(&self, features: impl Iterator<Item = usize>) -> Vec<i32> {
        let biases = numbers(&self.feature_biases).iter();
        let mut neurons: Vec<i32> = biases.copied().map(i32::from).collect();
        for feature in features {
            for (neuron, &weight) in neurons.iter_mut().zip(numbers(self.row(feature))) {
                *neuron += i32::from(weight);
            }
        }
        for neuron in &mut neurons {
            *neuron = (*neuron).clamp(0, ACTIVATION_ONE);
        }
        neurons
    }

    /// The weights of a feature.
    #[inline]
    pub(super) fn row(&self, feature: usize) -> &[Block] {
        let size = self.architecture.blocks();
        &self.feature_weights[feature * size..][..size]
    }

    /// From the sum over both sides' activations to centipawns.
    #[inline]
    pub(super) fn scaled(&self, sum: i32, output_bucket: usize) -> i32 {
        let output = i64::from(sum / ACTIVATION_ONE) + i64::from(self.output_biases[output_bucket]);
        self.centipawns(output, ACTIVATION_ONE * WEIGHT_ONE)
    }

    /// From the output of a stack of layers to centipawns.
    #[inline]
    pub(super) fn scaled_stack(&self, output: i32) -> i32 {
        self.centipawns(output.into(), LAYER_ONE * STACK_WEIGHT_ONE)
    }

    #[inline]
    fn centipawns(&self, output: i64, one: i32) -> i32 {
        let value = output * i64::from(self.scale) / i64::from(one);
        value.clamp(-CENTIPAWNS_MAX, CENTIPAWNS_MAX) as i32
    }
}

fn relation_rows(weights: &[i16]) -> Box<[RelationRow]> {
    let (rows, _) = weights.as_chunks();
    let none = [0; LAYER_1];
    rows.iter()
        .copied()
        .chain([none])
        .map(RelationRow)
        .collect()
}

/// The products of the neurons of a side's first half with those of its second.
fn pairs(neurons: &[i32]) -> impl Iterator<Item = i32> {
    let (first, second) = neurons.split_at(neurons.len() / 2);
    let pairs = first.iter().zip(second);
    pairs.map(|(a, b)| (a * b + PRODUCT_HALF) >> PRODUCT_SHIFT)
}

/// Beyond every evaluation, and small enough to be multiplied.
const CENTIPAWNS_MAX: i64 = 100_000;

/// Can no sum overflow? `bucket` is the number of output weights of one output bucket.
fn check(
    feature_weights: &[i16],
    feature_biases: &[i16],
    output_weights: &[i16],
    bucket: usize,
) -> Result<(), NetError> {
    let beyond = |max: i16| move |weight: &&i16| weight.unsigned_abs() > max.unsigned_abs();
    let mut features = feature_weights.iter().chain(feature_biases);
    if let Some(&found) = features.find(beyond(FEATURE_MAX)) {
        return Err(NetError::FeatureWeight(found));
    }
    if let Some(&found) = output_weights.iter().find(beyond(OUTPUT_MAX)) {
        return Err(NetError::OutputWeight(found));
    }
    for bucket in output_weights.chunks(bucket) {
        for sign in [1, -1] {
            let found: i64 = bucket.iter().map(|&w| (i64::from(w) * sign).max(0)).sum();
            if found > SUM_MAX {
                return Err(NetError::Overflow {
                    found,
                    allowed: SUM_MAX,
                });
            }
        }
    }
    Ok(())
}
