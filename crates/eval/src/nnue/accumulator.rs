//! The accumulators: the first layer of the network along a line of moves, updated lazily.
//!
//! A push only notes what the move changed. An accumulator is computed when a value is asked for,
//! from the nearest earlier ply that has one, or by a refresh if the king has changed the
//! perspective on the way. So a node whose value the TT knows, or that is in check, costs nothing.

use std::sync::Arc;

use bytemuck::Zeroable as _;
use sextant_board::{BitBoard, Board, Color, Delta, MAX_PLY, Piece, Placed, Position};

use super::{
    architecture::Layers,
    features::Perspective,
    kernel::{self, Sums},
    network::Network,
    numbers::{Block, Products},
    related::Related,
};

/// What a move changed, and whose accumulators of the ply are computed.
#[derive(Clone, Debug, Default)]
struct Step {
    delta: Delta,
    ready: [bool; Color::NUM],
}

/// The accumulators of one worker.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators {
    network: Arc<Network>,
    steps: Box<[Step]>,
    /// For each ply White's accumulator, then Black's.
    rows: Box<[Block]>,
    ply: usize,
    /// The inputs of the second layer, where there is one.
    products: Box<[Products]>,
    /// Where the second layer reads relations.
    related: Option<Related>,
    finny_table: FinnyTable,
}

impl Accumulators {
    /// For lines of any length that the search reaches; [`reset`](Accumulators::reset) before use.
    pub(crate) fn new(network: Arc<Network>) -> Accumulators {
        let plies = MAX_PLY + 2;
        let size = network.architecture.blocks();
        Accumulators {
            steps: vec![Step::default(); plies].into_boxed_slice(),
            rows: vec![Block::zeroed(); plies * Color::NUM * size].into_boxed_slice(),
            ply: 0,
            products: vec![Products::zeroed(); size / 2].into_boxed_slice(),
            related: network.architecture.has_relations().then(Related::default),
            finny_table: FinnyTable::new(&network),
            network,
        }
    }

    /// Starts a line at `board`, whose accumulators are computed at once.
    pub(crate) fn reset(&mut self, board: &Board) {
        self.ply = 0;
        for us in Color::ALL {
            let perspective = Perspective::of(&self.network.architecture, us, board);
            self.refresh(us, perspective, board);
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, delta: &Delta) {
        self.ply += 1;
        let step = &mut self.steps[self.ply];
        step.delta = *delta;
        step.ready = [false; Color::NUM];
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        self.ply -= 1;
    }

    /// The value of the position that the moves led to, in centipawns for the side to move.
    #[inline]
    pub(crate) fn value(&mut self, pos: &Position) -> i32 {
        let board = pos.board();
        if let Some(related) = &self.related {
            related.prefetch(pos);
        }
        for us in Color::ALL {
            self.materialize(us, board);
        }
        let network = &*self.network;
        let size = network.architecture.blocks();
        let (white, black) = self.rows[2 * self.ply * size..][..2 * size].split_at(size);
        let (own, other) = match board.side_to_move() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let bucket = network.architecture.output_bucket(board.occupied().len());
        match network.architecture.layers() {
            Layers::One => {
                let weights = &network.output_weights[2 * bucket * size..][..2 * size];
                network.scaled(kernel::output(own, other, weights), bucket)
            }
            Layers::Three { .. } => {
                let related = self.related.as_mut();
                let related = related.map_or(Sums::default(), |all| all.weigh(network, pos));
                let (products, layers) = (&mut self.products, &network.stacks[bucket]);
                network.scaled_stack(kernel::stack([own, other], products, related, layers))
            }
        }
    }

    /// Computes the accumulator of `us` at this ply, whose board is `board`. Not inlined for each
    /// side, so that the processor's cache for instructions has room for the search.
    #[inline(never)]
    fn materialize(&mut self, us: Color, board: &Board) {
        let perspective = Perspective::of(&self.network.architecture, us, board);
        let mut ready = self.ply;
        while !self.steps[ready].ready[us as usize] {
            if self.changes_perspective(ready, us, perspective) {
                return self.refresh(us, perspective, board);
            }
            ready -= 1;
        }
        for ply in ready + 1..=self.ply {
            self.update(ply, us, perspective);
        }
    }

    /// Did the move to `ply` bring the king of `us` from another perspective into this one?
    #[inline]
    fn changes_perspective(&self, ply: usize, us: Color, perspective: Perspective) -> bool {
        // A king that moves is the first of the pieces that its move removes.
        self.steps[ply].delta.removed[0].is_some_and(|moved| {
            moved.piece == Piece::King
                && moved.color == us
                && Perspective::new(&self.network.architecture, us, moved.square) != perspective
        })
    }

    fn refresh(&mut self, us: Color, perspective: Perspective, board: &Board) {
        let size = self.network.architecture.blocks();
        let row = self
            .finny_table
            .refresh(&self.network, us, perspective, board);
        let at = (2 * self.ply + us as usize) * size;
        self.rows[at..at + size].copy_from_slice(row);
        self.steps[self.ply].ready[us as usize] = true;
    }

    /// Computes the accumulator of `ply` from that of the ply before.
    #[inline]
    fn update(&mut self, ply: usize, us: Color, perspective: Perspective) {
        let network = &*self.network;
        let size = network.architecture.blocks();
        let (before, after) = self.rows.split_at_mut(2 * ply * size);
        let from = &before[(2 * (ply - 1) + us as usize) * size..][..size];
        let to = &mut after[us as usize * size..][..size];
        let step = &mut self.steps[ply];
        step.ready[us as usize] = true;
        let row = |placed: Placed| network.row(perspective.of_piece(placed));
        match (step.delta.removed, step.delta.added) {
            ([Some(gone), None], [Some(new), None]) => {
                kernel::update(from, to, [row(new)], [row(gone)]);
            }
            ([Some(gone), Some(taken)], [Some(new), None]) => {
                kernel::update(from, to, [row(new)], [row(gone), row(taken)]);
            }
            ([Some(king), Some(rook)], [Some(new_king), Some(new_rook)]) => {
                let new = [row(new_king), row(new_rook)];
                kernel::update(from, to, new, [row(king), row(rook)]);
            }
            // A null move.
            _ => to.copy_from_slice(from),
        }
    }
}

/// The last accumulator of a perspective with the pieces that it was made of.
#[derive(Clone, Debug)]
struct Refreshed {
    pieces: [[BitBoard; Piece::NUM]; Color::NUM],
    accumulator: Box<[Block]>,
}

/// The accumulator refresh cache ("Finny table", after Finn Eggers of Koivisto), with an entry for
/// each color, king bucket and wing. A refresh adds and subtracts only the pieces that differ,
/// which are fewer than those on the board.
#[derive(Clone, Debug)]
struct FinnyTable {
    entries: Box<[Refreshed]>,
    entries_per_color: usize,
}

impl FinnyTable {
    /// As if the last board of every perspective had been empty.
    fn new(network: &Network) -> FinnyTable {
        let entries_per_color = 2 * network.architecture.king_bucket_count();
        let empty = Refreshed {
            pieces: [[BitBoard::EMPTY; Piece::NUM]; Color::NUM],
            accumulator: network.feature_biases.clone(),
        };
        FinnyTable {
            entries: vec![empty; entries_per_color * Color::NUM].into_boxed_slice(),
            entries_per_color,
        }
    }

    /// The accumulator of `us` for a board that it sees by `perspective`.
    fn refresh(
        &mut self,
        network: &Network,
        us: Color,
        perspective: Perspective,
        board: &Board,
    ) -> &[Block] {
        let index = us as usize * self.entries_per_color + perspective.index();
        let entry = &mut self.entries[index];
        for owner in Color::ALL {
            for piece in Piece::ALL {
                let now = board.colored_pieces(owner, piece);
                let known = &mut entry.pieces[owner as usize][piece as usize];
                let before = std::mem::replace(known, now);
                for feature in perspective.of_pieces(owner, piece, now & !before) {
                    kernel::add(&mut entry.accumulator, network.row(feature));
                }
                for feature in perspective.of_pieces(owner, piece, before & !now) {
                    kernel::subtract(&mut entry.accumulator, network.row(feature));
                }
            }
        }
        &entry.accumulator
    }
}
