//! Matches between small players: the seed alone decides, whatever the machine.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sextant_board::{Move, MoveSets, Position, Random, Score, parse_uci_move};
use sextant_play::{
    Choice, Ending, GameResult, MatchError, MatchPlayers, Openings, Pair, PgnTags, Plan, Player,
    Rules, Sprt, SprtModel, SprtResult, Tally, play_match, quiet_positions, resume_match, to_pgn,
};
use sextant_search::Game;
use sextant_syzygy::{Backend, Tablebase};

/// Plays random moves, or takes the most valuable man that it can.
struct Toy {
    greedy: bool,
    random: Random,
}

impl Toy {
    fn team(first_greedy: bool, second_greedy: bool) -> MatchPlayers<Toy> {
        let toy = |greedy| Toy {
            greedy,
            random: Random::new(0),
        };
        MatchPlayers {
            first: toy(first_greedy),
            second: toy(second_greedy),
        }
    }
}

impl Player for Toy {
    fn new_game(&mut self) {
        self.random = Random::new(99);
    }

    fn choose(&mut self, game: &Game) -> Choice {
        let position = game.position();
        let mut moves: Vec<Move> = MoveSets::generate(position).iter().collect();
        self.random.shuffle(&mut moves);
        let mv = if self.greedy {
            moves.iter().copied().max_by_key(|&mv| worth(position, mv))
        } else {
            moves.first().copied()
        };
        let score = Score::new(worth(position, moves[0]));
        Choice {
            mv,
            score,
            depth: 1,
            nodes: moves.len() as u64,
            time: Duration::ZERO,
        }
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

fn plan(seed: u64, pairs: u64) -> Plan {
    let openings = Openings::random(seed);
    Plan {
        openings,
        pairs: Some(pairs),
        sprt: None,
        rules: Rules::natural(),
    }
}

/// Plays a match on `threads` threads; the games as text, and the tally.
fn play(plan: &Plan, threads: usize, first: bool, second: bool) -> (Vec<String>, Tally) {
    let mut games = Vec::new();
    let teams = (0..threads).map(|_| Toy::team(first, second)).collect();
    let mut report = |pair: &Pair, _: &Tally| {
        assert_eq!(pair.index as usize * 2, games.len(), "pairs come in order");
        games.extend(
            pair.games
                .iter()
                .map(|game| to_pgn(game, &PgnTags::default())),
        );
        true
    };
    let tally = play_match(teams, plan, &AtomicBool::new(false), &mut report).unwrap();
    (games, tally)
}

#[test]
fn the_seed_decides_not_the_threads() {
    let alone = play(&plan(5, 12), 1, true, false);
    assert_eq!(alone, play(&plan(5, 12), 1, true, false));
    assert_eq!(alone, play(&plan(5, 12), 4, true, false));
    assert_ne!(alone.0, play(&plan(6, 12), 4, true, false).0);
    assert_eq!(alone.0.len(), 24);
    assert_eq!(alone.1.games(), 24);
}

#[test]
fn equal_players_come_out_even() {
    let (games, tally) = play(&plan(1, 20), 3, true, true);
    // Both games of a pair are the same game, because the players are the same.
    assert!(games.chunks(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(tally.pairs.0, [0, 0, 20, 0, 0]);
    assert_eq!((tally.wins, tally.pairs.elo()), (tally.losses, 0.0));
    assert_eq!(tally.efforts[0].nodes, tally.efforts[1].nodes);
}

#[test]
fn the_stronger_player_is_found_out() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
    let plan = Plan {
        sprt: Some(sprt),
        ..plan(3, 2000)
    };
    let (games, tally) = play(&plan, 3, true, false);
    assert_eq!(
        sprt.verdict(&tally.pairs),
        Some(SprtResult::H1),
        "{tally:?}"
    );
    assert!(games.len() < 2000 && tally.pairs.elo() > 50.0);
    assert_eq!(
        (games, tally),
        play(&plan, 1, true, false),
        "the test stops at the same pair"
    );
    let (_, tally) = play(&plan, 2, false, true);
    assert_eq!(
        sprt.verdict(&tally.pairs),
        Some(SprtResult::H0),
        "{tally:?}"
    );
}

#[test]
fn the_tally_is_the_sum_of_the_games() {
    let (games, tally) = play(&plan(8, 15), 2, true, false);
    let count = |text: &str| games.iter().filter(|game| game.contains(text)).count() as u64;
    assert_eq!(tally.draws, count("[Result \"1/2-1/2\"]"));
    assert_eq!(tally.white_wins, count("[Result \"1-0\"]"));
    assert_eq!(
        tally.wins + tally.losses,
        count("[Result \"1-0\"]") + count("[Result \"0-1\"]")
    );
    assert_eq!(tally.endings.values().sum::<u64>(), 30);
    let mates = tally.endings.get(&Ending::Checkmate).copied().unwrap_or(0);
    assert_eq!(mates, tally.wins + tally.losses);
    let points: u64 = (0..)
        .zip(tally.pairs.0)
        .map(|(half_points, pairs)| half_points * pairs)
        .sum();
    assert_eq!(points, 2 * tally.wins + tally.draws);
    assert_eq!(tally.efforts[0].moves + tally.efforts[1].moves, tally.plies);
}

#[test]
fn a_book_ends_the_match() {
    let book = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
                rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n";
    let openings = Openings::from_book(book, 1).unwrap();
    let plan = Plan {
        openings,
        pairs: None,
        sprt: None,
        rules: Rules::natural(),
    };
    assert_eq!(play(&plan, 3, true, false).1.games(), 4);
}

#[test]
fn a_match_can_be_stopped() {
    let stop = AtomicBool::new(false);
    let mut reports = 0;
    let mut report = |_: &Pair, tally: &Tally| {
        reports += 1;
        assert_eq!(tally.pairs.pairs(), reports);
        reports < 3
    };
    let endless = Plan {
        pairs: None,
        ..plan(1, 0)
    };
    let teams = || vec![Toy::team(true, false), Toy::team(true, false)];
    let tally = play_match(teams(), &endless, &stop, &mut report).unwrap();
    assert_eq!(tally.games(), 6);

    stop.store(true, Ordering::Relaxed);
    let tally = play_match(teams(), &endless, &stop, &mut |_, _| true).unwrap();
    assert_eq!(tally.games(), 0);
}

#[test]
fn a_match_that_goes_on_is_the_unbroken_one() {
    let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
    let plan = Plan {
        sprt: Some(sprt),
        ..plan(3, 2000)
    };
    let (_, unbroken) = play(&plan, 1, true, false);
    let stop = AtomicBool::new(false);
    let teams = || vec![Toy::team(true, false), Toy::team(true, false)];
    let mut first = |_: &Pair, tally: &Tally| tally.pairs.pairs() < 5;
    let broken = play_match(teams(), &plan, &stop, &mut first).unwrap();
    assert!(broken.pairs.pairs() == 5 && broken != unbroken);
    let mut next = 5;
    let mut report = |pair: &Pair, _: &Tally| {
        assert_eq!(pair.index, next);
        next += 1;
        true
    };
    let whole = resume_match(teams(), &plan, broken, &stop, &mut report).unwrap();
    assert_eq!(whole, unbroken);
    // What is decided stays so.
    let mut nothing = |_: &Pair, _: &Tally| panic!("nothing is left to play");
    let again = resume_match(teams(), &plan, whole, &stop, &mut nothing).unwrap();
    assert_eq!(again, unbroken);
}

/// Plays the first move it finds, and misbehaves when it runs out of patience.
struct Vandal {
    patience: u32,
    deed: fn(&mut Choice),
}

impl Player for Vandal {
    fn new_game(&mut self) {}

    fn choose(&mut self, game: &Game) -> Choice {
        let mv = MoveSets::generate(game.position()).iter().next();
        let mut choice = Choice {
            mv,
            score: Score::DRAW,
            depth: 1,
            nodes: 1,
            time: Duration::ZERO,
        };
        self.patience -= 1;
        if self.patience == 0 {
            (self.deed)(&mut choice);
        }
        choice
    }
}

fn vandalise(deed: fn(&mut Choice)) -> MatchError {
    let vandal = |patience| Vandal { patience, deed };
    let team = || MatchPlayers {
        first: vandal(u32::MAX),
        second: vandal(40),
    };
    let endless = Plan {
        pairs: None,
        ..plan(1, 0)
    };
    let stop = AtomicBool::new(false);
    play_match(vec![team(), team()], &endless, &stop, &mut |_, _| true).unwrap_err()
}

#[test]
fn misbehaviour_ends_the_match_with_a_reason() {
    let message = vandalise(|choice| choice.mv = None).to_string();
    assert!(message.contains("gave no move in"), "{message}");
    let illegal = |choice: &mut Choice| {
        let mut mv = parse_uci_move(&Position::startpos(), "e2e4").unwrap();
        std::mem::swap(&mut mv.from, &mut mv.to);
        choice.mv = Some(mv);
    };
    let message = vandalise(illegal).to_string();
    assert!(
        message.contains("played the illegal move e4e2 in"),
        "{message}"
    );
    let message = vandalise(|_| panic!("out of tea")).to_string();
    assert!(
        message.contains("a player panicked: out of tea"),
        "{message}"
    );
}

#[test]
fn samples_are_quiet_and_reproducible() {
    let mut sampled = 0;
    let mut report = |pair: &Pair, _: &Tally| {
        for game in &pair.games {
            let sample = |most| quiet_positions(game, most, &mut Random::new(4));
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
        true
    };
    let stop = AtomicBool::new(false);
    play_match(
        vec![Toy::team(true, false)],
        &plan(2, 4),
        &stop,
        &mut report,
    )
    .unwrap();
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
    let rules = Rules {
        tablebase: Some(Arc::new(tables)),
        ..Rules::natural()
    };
    let plan = Plan {
        rules,
        ..plan(4, 8)
    };
    let (mut by_tables, mut wins) = (0, 0);
    let mut report = |pair: &Pair, _: &Tally| {
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
        true
    };
    let teams = vec![Toy::team(true, true), Toy::team(true, true)];
    play_match(teams, &plan, &AtomicBool::new(false), &mut report).unwrap();
    assert!(by_tables >= 4 && wins > 0, "{by_tables} {wins}");
}
