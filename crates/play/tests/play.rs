//! Matches between small players: the seed alone decides, whatever the machine.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use sextant_board::{Move, MoveSets, Position, Random, Score};
use sextant_play::{
    Ending, GameResult, Openings, Opponents, Pair, PgnTags, Plan, Player, Rules, Sprt, SprtModel,
    SprtResult, Tally, Turn, play_match, to_pgn,
};
use sextant_search::Game;
use sextant_syzygy::{Backend, Tablebase};

/// Plays random moves, or takes the most valuable man that it can.
struct Toy {
    greedy: bool,
    random: Random,
}

/// Toys for `threads` threads.
fn opponents(threads: usize, first_greedy: bool, second_greedy: bool) -> Vec<Opponents<Toy>> {
    let toy = |greedy| Toy {
        greedy,
        random: Random::new(0),
    };
    let opponents = |_| Opponents {
        first: toy(first_greedy),
        second: toy(second_greedy),
    };
    (0..threads).map(opponents).collect()
}

fn turn(mv: Move, score: i32, nodes: usize) -> Turn {
    Turn {
        mv,
        score: Score::new(score),
        depth: 1,
        nodes: nodes as u64,
        time: Duration::ZERO,
    }
}

impl Player for Toy {
    fn new_game(&mut self) {
        self.random = Random::new(99);
    }

    fn choose(&mut self, game: &Game) -> Option<Turn> {
        let position = game.position();
        let mut moves: Vec<Move> = MoveSets::generate(position).iter().collect();
        self.random.shuffle(&mut moves);
        let mv = if self.greedy {
            moves.iter().copied().max_by_key(|&mv| worth(position, mv))
        } else {
            moves.first().copied()
        };
        Some(turn(mv?, worth(position, moves[0]), moves.len()))
    }
}

/// A mate is worth most, then what is captured.
fn worth(position: &Position, mv: Move) -> i32 {
    let after = position.make(mv).0;
    if after.in_check() && MoveSets::generate(&after).is_empty() {
        return 1000;
    }
    position.victim(mv).map_or(0, |piece| 10 + piece as i32)
}

fn plan(seed: u64, pairs: impl Into<Option<u64>>) -> Plan {
    Plan {
        openings: Openings::random(seed),
        pairs: pairs.into(),
        sprt: None,
        rules: Rules::natural(),
    }
}

/// A plan that ends when the test has decided, and the test.
fn tested() -> (Plan, Sprt) {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
    let plan = Plan {
        sprt: Some(sprt),
        ..plan(3, 2000)
    };
    (plan, sprt)
}

/// Plays a match to its end and shows all its pairs.
fn see(plan: &Plan, opponents: Vec<Opponents<Toy>>, mut show: impl FnMut(&Pair)) -> Tally {
    let mut report = |pair: &Pair, _: &Tally| {
        show(pair);
        true
    };
    let never = AtomicBool::new(false);
    play_match(opponents, plan, Tally::default(), &never, &mut report).unwrap()
}

/// Plays a match on `threads` threads; the games as text, and the tally.
fn play(plan: &Plan, threads: usize, first: bool, second: bool) -> (Vec<String>, Tally) {
    let mut games = Vec::new();
    let tally = see(plan, opponents(threads, first, second), |pair| {
        assert_eq!(pair.index as usize * 2, games.len(), "pairs come in order");
        let texts = pair.games.iter();
        games.extend(texts.map(|game| to_pgn(game, &PgnTags::default())));
    });
    (games, tally)
}

#[test]
fn the_stronger_player_is_found_out() {
    let (plan, sprt) = tested();
    let (games, tally) = play(&plan, 3, true, false);
    assert_eq!(sprt.verdict(&tally.pentanomial), Some(SprtResult::H1));
    assert!(games.len() < 2000 && tally.pentanomial.elo() > 50.0);
    let alone = play(&plan, 1, true, false);
    assert_eq!((games, tally), alone, "the test stops at the same pair");
    let (_, tally) = play(&plan, 2, false, true);
    assert_eq!(sprt.verdict(&tally.pentanomial), Some(SprtResult::H0));
}

#[test]
fn the_tally_is_the_sum_of_the_games() {
    let (games, tally) = play(&plan(8, 15), 2, true, false);
    assert_ne!(
        play(&plan(9, 15), 2, true, false).0,
        games,
        "the seed decides"
    );
    let count = |text: &str| games.iter().filter(|game| game.contains(text)).count() as u64;
    assert_eq!(tally.draws, count("[Result \"1/2-1/2\"]"));
    assert_eq!(tally.white_wins, count("[Result \"1-0\"]"));
    let decided = tally.white_wins + count("[Result \"0-1\"]");
    assert_eq!(tally.wins + tally.losses, decided);
    assert_eq!(tally.endings[&Ending::Checkmate], tally.wins + tally.losses);
    assert_eq!(tally.games(), 30);
    assert_eq!(tally.endings.values().sum::<u64>(), 30);
    assert_eq!(tally.plies, tally.efforts.map(|one| one.moves).iter().sum());
    let half_points = (0..)
        .zip(tally.pentanomial.0)
        .map(|(half, pairs)| half * pairs);
    assert_eq!(half_points.sum::<u64>(), 2 * tally.wins + tally.draws);
    assert_eq!(tally.check(), Ok(()));
    let forgeries: [fn(&mut Tally); 6] = [
        |tally| tally.draws += 1,
        |tally| tally.pentanomial.0 = [0, 0, 0, 0, tally.pentanomial.pairs()],
        |tally| *tally.endings.entry(Ending::Checkmate).or_default() += 1,
        |tally| tally.plies = u64::MAX,
        |tally| tally.efforts[1].moves += 1,
        |tally| tally.white_wins = 31,
    ];
    for (number, forge) in forgeries.into_iter().enumerate() {
        let mut forged = tally.clone();
        forge(&mut forged);
        assert!(forged.check().is_err(), "forgery {number}");
    }
}

#[test]
fn a_match_that_goes_on_is_the_unbroken_one() {
    let (plan, _) = tested();
    let (_, unbroken) = play(&plan, 1, true, false);
    let stop = AtomicBool::new(false);
    let opponents = || opponents(2, true, false);
    let mut first = |_: &Pair, tally: &Tally| tally.pentanomial.pairs() < 5;
    let broken = play_match(opponents(), &plan, Tally::default(), &stop, &mut first).unwrap();
    assert!(broken.pentanomial.pairs() == 5 && broken != unbroken);
    let mut next = 5;
    let mut report = |pair: &Pair, _: &Tally| {
        assert_eq!(pair.index, next);
        next += 1;
        true
    };
    let whole = play_match(opponents(), &plan, broken, &stop, &mut report).unwrap();
    assert_eq!(whole, unbroken);
    // What is decided stays so, and a match that was stopped from outside plays nothing.
    let mut nothing = |_: &Pair, _: &Tally| panic!("nothing is left to play");
    let stopped = AtomicBool::new(true);
    let none = play_match(opponents(), &plan, Tally::default(), &stopped, &mut nothing).unwrap();
    assert_eq!(none.games(), 0);
    let again = play_match(opponents(), &plan, whole, &stop, &mut nothing).unwrap();
    assert_eq!(again, unbroken);
}

/// Plays the first move it finds, and misbehaves when it runs out of patience.
struct Vandal {
    patience: u32,
    deed: fn(Turn) -> Option<Turn>,
}

impl Player for Vandal {
    fn new_game(&mut self) {}

    fn choose(&mut self, game: &Game) -> Option<Turn> {
        let turn = turn(MoveSets::generate(game.position()).iter().next()?, 0, 1);
        self.patience -= 1;
        if self.patience == 0 {
            return (self.deed)(turn);
        }
        Some(turn)
    }
}

#[test]
fn misbehavior_ends_the_match_with_a_reason() {
    let illegal = |turn: Turn| {
        let mv = "e4e2".parse().unwrap();
        Some(Turn { mv, ..turn })
    };
    type Deed = fn(Turn) -> Option<Turn>;
    let deeds: [(Deed, &str); 3] = [
        (|_| None, "gave no move in"),
        (illegal, "played the illegal move e4e2 in"),
        (|_| panic!("out of tea"), "panicked: out of tea"),
    ];
    for (deed, words) in deeds {
        let vandal = |patience| Vandal { patience, deed };
        let opponents = || Opponents {
            first: vandal(u32::MAX),
            second: vandal(40),
        };
        let (opponents, stop) = (vec![opponents(), opponents()], AtomicBool::new(false));
        let (plan, none) = (plan(1, None), Tally::default());
        let error = play_match(opponents, &plan, none, &stop, &mut |_, _| true).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn samples_are_quiet_and_reproducible() {
    let mut sampled = 0;
    see(&plan(2, 4), opponents(1, true, false), |pair| {
        for game in &pair.games {
            let sample = |most| game.quiet_positions(most, &mut Random::new(4));
            let few = sample(5);
            assert_eq!(few, sample(5));
            assert_eq!(few.len(), sample(1000).len().min(5));
            // Every sampled position stood on the board, and a quiet move was played there.
            let mut position = game.start.clone();
            let mut left = few.iter().peekable();
            for turn in &game.turns {
                if left.next_if_eq(&&position).is_some() {
                    assert!(!position.in_check() && turn.mv.promotion.is_none());
                    assert_eq!(position.victim(turn.mv), None);
                }
                position = position.make(turn.mv).0;
            }
            assert_eq!(left.next(), None);
            sampled += few.len();
        }
    });
    assert!(sampled >= 30, "{sampled}");
}

#[test]
fn tables_end_games_after_captures() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/data/syzygy/3-4"
    );
    let Ok(tables) = Tablebase::open(folder, Backend::Native) else {
        println!("skipped: no tables in {folder}");
        return;
    };
    let plan = Plan {
        rules: Rules {
            tablebase: Some(Arc::new(tables)),
            ..Rules::natural()
        },
        ..plan(4, 8)
    };
    let (mut by_tables, mut wins) = (0, 0);
    see(&plan, opponents(2, true, true), |pair| {
        for game in &pair.games {
            let mut position = game.start.clone();
            let mut known = 0;
            for turn in &game.turns {
                position = position.make(turn.mv).0;
                known += u32::from(position.board().occupied().len() <= 4);
            }
            if game.ending == Ending::Tablebase {
                by_tables += 1;
                wins += u32::from(game.result != GameResult::Draw);
                // The move that led to a known position is the last one, and it set the clock back.
                assert_eq!((known, position.clock()), (1, 0));
            }
        }
    });
    assert!(by_tables >= 4 && wins > 0, "{by_tables} {wins}");
}
