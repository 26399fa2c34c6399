//! Properties of the evaluation on positions of random games.

use sextant_board::{Board, Color, Move, Position, Score};
use sextant_eval::{PHASE_ONE, Params, State, Trace, WEIGHTS};

/// A small generator of our own, so that a failing seed can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

fn moves_of(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    moves
}

/// Starting positions: standard, Chess960, double Chess960 and some that are rich in promotions
/// and en passant.
fn starts(random: &mut Random) -> Vec<Board> {
    let mut boards = vec![Board::startpos()];
    for _ in 0..20 {
        boards.push(Board::chess960_startpos(random.below(960) as u32));
        let sides = (random.below(960) as u32, random.below(960) as u32);
        boards.push(Board::double_chess960_startpos(sides.0, sides.1));
    }
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ] {
        boards.push(fen.parse().expect("a valid FEN"));
    }
    boards
}

/// Calls `visit` on every position of random games, null moves included, with the state that
/// followed them move by move. Now and then a few moves are taken back.
fn random_games(seed: u64, mut visit: impl FnMut(&mut State, &Position)) {
    let mut random = Random(seed);
    let mut state = State::new(Params::default());
    for board in starts(&mut random) {
        let mut line = vec![Position::new(board)];
        state.reset(&line[0]);
        while line.len() < 200 {
            let pos = line.last().expect("never empty").clone();
            visit(&mut state, &pos);
            let moves = moves_of(pos.board());
            if moves.is_empty() || (line.len() > 4 && random.below(8) == 0) {
                for _ in 0..random.below(3).min(line.len() - 1) {
                    line.pop();
                    state.pop();
                }
                if moves.is_empty() {
                    break;
                }
                continue;
            }
            if random.below(12) == 0
                && let Some(next) = pos.make_null()
            {
                state.push_null();
                line.push(next);
                continue;
            }
            let (next, delta) = pos.make(moves[random.below(moves.len())]);
            state.push(&delta);
            line.push(next);
        }
    }
}

fn fresh(pos: &Position) -> Score {
    let mut state = State::new(Params::default());
    state.reset(pos);
    state.evaluate(pos)
}

/// The position with colours exchanged, or left and right, rebuilt through its FEN (which drops
/// en passant and castling where asked).
fn mirrored(board: &Board, colours: bool, wings: bool) -> Board {
    let fen = format!("{board:#}");
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut ranks: Vec<String> = fields[0].split('/').map(str::to_owned).collect();
    if colours {
        ranks.reverse();
    }
    for rank in &mut ranks {
        if wings {
            *rank = rank.chars().rev().collect();
        }
        if colours {
            *rank = rank
                .chars()
                .map(|c| {
                    if c.is_uppercase() {
                        c.to_ascii_lowercase()
                    } else {
                        c.to_ascii_uppercase()
                    }
                })
                .collect();
        }
    }
    let side = if (board.side_to_move() == Color::White) == colours {
        "b"
    } else {
        "w"
    };
    let fen = format!(
        "{} {side} - - {} 1",
        ranks.join("/"),
        board.halfmove_clock()
    );
    Board::from_fen(&fen, true).expect("the mirror of a valid position is valid")
}

#[test]
fn incremental_is_from_scratch() {
    let mut positions = 0;
    random_games(1, |state, pos| {
        assert_eq!(state.evaluate(pos), fresh(pos), "{}", pos.board());
        positions += 1;
    });
    assert!(positions > 5_000, "only {positions} positions seen");
}

#[test]
fn the_colours_are_equal() {
    random_games(2, |state, pos| {
        let mirror = Position::new(mirrored(pos.board(), true, false));
        assert_eq!(state.evaluate(pos), fresh(&mirror), "{}", pos.board());
    });
}

#[test]
fn the_wings_are_equal() {
    random_games(3, |state, pos| {
        let mirror = Position::new(mirrored(pos.board(), false, true));
        assert_eq!(state.evaluate(pos), fresh(&mirror), "{}", pos.board());
    });
}

#[test]
fn a_null_move_changes_only_the_side_and_the_clock() {
    let mut pos = Position::startpos();
    for mv in moves_of(pos.board()).into_iter().take(1) {
        pos = pos.make(mv).0;
    }
    let passed = pos.make_null().expect("not in check");
    let no_tempo = |pos: &Position| {
        let mut state = State::new(Params { tempo: 0 });
        state.reset(pos);
        state.evaluate(pos).raw()
    };
    assert!((no_tempo(&pos) + no_tempo(&passed)).abs() <= 1);
}

#[test]
fn the_trace_adds_up_to_the_evaluation() {
    let mut traced = 0;
    random_games(4, |_, pos| {
        let Some(trace) = Trace::of(pos.board()) else {
            return;
        };
        let sum = |half: fn(usize) -> i32| -> i32 {
            trace.counts.iter().map(|&(i, count)| count * half(i)).sum()
        };
        let (mg, eg) = (sum(|i| WEIGHTS[i].mg()), sum(|i| WEIGHTS[i].eg()));
        let rest = PHASE_ONE - trace.phase;
        let white = (mg * trace.phase + eg * rest * trace.scale / 64) / PHASE_ONE;
        let ours = if pos.side_to_move() == Color::White {
            white
        } else {
            -white
        };
        let clock = i32::from(pos.clock());
        let expected = (ours + Params::default().tempo) * (200 - clock) / 200;
        assert_eq!(fresh(pos), Score::eval(expected), "{}", pos.board());
        traced += 1;
    });
    assert!(traced > 5_000, "only {traced} positions traced");
}
