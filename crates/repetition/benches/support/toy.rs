//! A small alpha-beta search, only to have lines that a search would visit: material and a centre
//! bonus, captures first, null move, a capture-only quiescence, draws by repetition.

use cozy_chess::{Board, Color, Move, Piece};
use sextant_repetition::History;

use crate::lines::Event;

/// A middle game, a blocked one, and endings, where high clocks are at home; their pasts are
/// shuffled to several clocks.
const POSITIONS: [&str; 8] = [
    "2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1BP2/P3B1PP/2RQ1R1K w - - 0 14",
    "r1bq1rk1/2p1n1bp/p2p2p1/np1Pp3/1P2Pp2/P1NN1P2/4B1PP/R1BQ1RK1 w - - 0 17",
    "5rk1/1b2bp2/1p2p1p1/pP1pP2p/P2P1P1P/3B2P1/1B6/5RK1 w - - 0 30",
    "8/5pk1/4p1p1/3pP2p/1r1P1P1P/1P2R1P1/5K2/8 w - - 0 40",
    "8/2k5/3bp1p1/p2p1p1p/P2P1P1P/1P1NPKP1/8/8 w - - 0 40",
    "8/1p3pk1/p1b3p1/P3p2p/1P2P2P/2B2PP1/6K1/8 b - - 0 40",
    "6k1/5p2/4q1p1/4p2p/4P2P/5QP1/5PK1/8 w - - 0 40",
    "8/8/4k3/3r4/8/2R5/3K1N2/8 w - - 0 60",
];
const CLOCKS: [usize; 8] = [0, 2, 10, 18, 26, 45, 60, 80];
const DEPTH: i32 = 9;
const NODES: usize = 60_000;

/// The events of all searches, one after another.
pub(crate) fn searches() -> Vec<Event> {
    let mut events = Vec::new();
    for (number, fen) in POSITIONS.iter().enumerate() {
        for (turn, clock) in CLOCKS.into_iter().enumerate() {
            let board: Board = fen.parse().expect("a valid FEN");
            let (board, game) = shuffled(board, clock, (number * CLOCKS.len() + turn) as u64);
            let mut toy = Toy::new(game, &mut events);
            for depth in 1..=DEPTH {
                toy.search(&board, depth, -30_000, 30_000);
            }
        }
    }
    events
}

/// Plays quiet moves at random until the clock is where it should be.
fn shuffled(mut board: Board, clock: usize, seed: u64) -> (Board, Vec<(u64, u16)>) {
    let mut state = seed;
    let mut game = vec![(board.hash_without_ep(), 0)];
    while game.len() <= clock {
        let quiet: Vec<_> = moves(&board, false)
            .into_iter()
            .filter(|&mv| !is_irreversible(&board, mv) && !loses_material(&board, mv))
            .collect();
        if quiet.is_empty() {
            break;
        }
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        board.play_unchecked(quiet[(state >> 33) as usize % quiet.len()]);
        game.push((board.hash_without_ep(), game.len() as u16));
    }
    (board, game)
}

fn loses_material(board: &Board, mv: Move) -> bool {
    let mut after = board.clone();
    after.play_unchecked(mv);
    moves(&after, true)
        .iter()
        .any(|reply| after.piece_on(reply.to) != Some(Piece::Pawn))
}

fn moves(board: &Board, captures_only: bool) -> Vec<Move> {
    let targets = board.colors(!board.side_to_move());
    let mut found = Vec::new();
    board.generate_moves(|mut set| {
        if captures_only {
            set.to &= targets;
        }
        found.extend(set);
        false
    });
    found.sort_by_key(|mv| std::cmp::Reverse(board.piece_on(mv.to).map(worth)));
    found
}

fn is_irreversible(board: &Board, mv: Move) -> bool {
    board.piece_on(mv.from) == Some(Piece::Pawn) || board.occupied().has(mv.to)
}

/// What a capture wins if the capturing piece is lost for it.
fn gain(board: &Board, mv: Move) -> i32 {
    board.piece_on(mv.to).map_or(0, worth) - board.piece_on(mv.from).map_or(0, worth)
}

fn worth(piece: Piece) -> i32 {
    [100, 320, 330, 500, 950, 0][piece as usize]
}

fn evaluate(board: &Board) -> i32 {
    let side = |color: Color| -> i32 {
        let pieces = board.colors(color).into_iter();
        pieces
            .map(|square| {
                let (file, rank) = (square.file() as i32 * 2 - 7, square.rank() as i32 * 2 - 7);
                board.piece_on(square).map_or(0, worth) - file.abs() - rank.abs()
            })
            .sum()
    };
    side(board.side_to_move()) - side(!board.side_to_move())
}

struct Toy<'a> {
    history: History,
    clocks: Vec<u16>,
    events: &'a mut Vec<Event>,
    nodes: usize,
}

impl Toy<'_> {
    fn new(game: Vec<(u64, u16)>, events: &mut Vec<Event>) -> Toy<'_> {
        let mut history = History::new(14).expect("an allowed size");
        history.set_game(game.iter().copied());
        let clocks = game.iter().map(|&(_, clock)| clock).collect();
        events.push(Event::Game(game));
        Toy {
            history,
            clocks,
            events,
            nodes: 0,
        }
    }

    fn search(&mut self, board: &Board, depth: i32, mut alpha: i32, beta: i32) -> i32 {
        let mut best = -30_000;
        if depth <= 0 {
            best = evaluate(board);
            alpha = alpha.max(best);
            if alpha >= beta {
                return best;
            }
        } else if let Some(passed) = self.null_move(board, depth) {
            self.enter(Event::Null(passed.hash_without_ep()));
            let score = -self.search(&passed, depth - 3, -beta, 1 - beta);
            self.leave();
            if score >= beta {
                return score;
            }
        }
        for mv in moves(board, depth <= 0) {
            if self.nodes >= NODES {
                break;
            }
            if depth <= 0 && gain(board, mv) < 0 {
                continue;
            }
            let mut child = board.clone();
            child.play_unchecked(mv);
            let last = self.clocks.last().copied().unwrap_or(0);
            let clock = if is_irreversible(board, mv) {
                0
            } else {
                last + 1
            };
            self.enter(Event::Enter(child.hash_without_ep(), clock));
            let score = if self.history.is_repetition() {
                0
            } else {
                -self.search(&child, depth - 1, -beta, -alpha)
            };
            self.leave();
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Neither at the root nor twice running.
    fn null_move(&self, board: &Board, depth: i32) -> Option<Board> {
        let allowed = depth >= 3 && !matches!(self.events.last(), Some(Event::Null(_)));
        board
            .null_move()
            .filter(|_| allowed && self.history.plies() > 0)
    }

    fn enter(&mut self, event: Event) {
        self.nodes += 1;
        match event {
            Event::Enter(key, clock) => {
                self.history.enter(key, clock);
                self.clocks.push(clock);
            }
            Event::Null(key) => {
                self.history.enter_null(key);
                self.clocks.push(0);
            }
            Event::Game(_) | Event::Leave => {}
        }
        self.events.push(event);
    }

    fn leave(&mut self) {
        self.history.leave();
        self.clocks.pop();
        self.events.push(Event::Leave);
    }
}
