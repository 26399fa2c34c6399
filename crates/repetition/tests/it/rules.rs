//! The rules of repetition one by one, on lines short enough to read.

use sextant_repetition::History;

/// The four positions of the shortest shuffle.
const CYCLE: [u64; 4] = [0xA1, 0xB2, 0xC3, 0xD4];

/// A history whose game runs through the cycle for so many plies; the clock starts at 0.
fn after(game_plies: u16) -> History {
    let mut history = History::new(12).expect("an allowed size");
    history.set_game((0..=game_plies).map(|clock| (CYCLE[usize::from(clock % 4)], clock)));
    history
}

/// Goes on through the cycle from the given clock.
fn shuffle_on(history: &mut History, clock: u16, plies: u16) {
    for clock in clock + 1..=clock + plies {
        history.enter(CYCLE[usize::from(clock % 4)], clock);
    }
}

#[test]
fn the_root_needs_three_occurrences() {
    assert_eq!(after(4).occurrences(), 1);
    assert!(!after(4).is_repetition());
    assert_eq!(after(8).occurrences(), 2);
    assert!(after(8).is_repetition());
}

#[test]
fn the_root_itself_counts_as_a_game_position() {
    let mut history = after(0);
    shuffle_on(&mut history, 0, 4);
    assert_eq!(history.occurrences(), 1);
    assert!(!history.is_repetition());
    shuffle_on(&mut history, 4, 1);
    assert!(
        history.is_repetition(),
        "the first child of the root, twice within the search"
    );
}

#[test]
fn two_occurrences_in_the_game_and_one_in_the_search_make_three() {
    let mut history = after(6);
    assert!(!history.would_repeat(0xD4), "it was there once");
    shuffle_on(&mut history, 6, 1);
    assert!(!history.is_repetition(), "0xD4 was there once");
    assert!(history.would_repeat(0xA1), "0xA1 was there twice");
    shuffle_on(&mut history, 7, 1);
    assert!(history.is_repetition());
}

#[test]
fn an_irreversible_move_cuts_and_leaving_it_mends() {
    let mut history = after(6);
    history.enter(0xFF, 0);
    assert!(!history.would_repeat(0xA1));
    history.enter(0xA1, 1);
    assert!(!history.is_repetition());
    assert_eq!(history.occurrences(), 0);
    history.leave();
    history.leave();
    shuffle_on(&mut history, 6, 2);
    assert!(history.is_repetition());
}

#[test]
fn a_null_move_cuts_and_leaving_it_mends() {
    let mut history = after(7);
    assert!(history.would_repeat(0xA1));
    history.enter_null(0xEE);
    assert!(!history.would_repeat(0xA1));
    history.enter(0xA1, 9);
    assert_eq!(history.occurrences(), 0);
    history.leave();
    history.leave();
    assert!(history.would_repeat(0xA1));
}

#[test]
fn short_chains_do_not_ask_the_filter() {
    let mut history = after(0);
    shuffle_on(&mut history, 0, 2);
    assert!(!history.would_repeat(0xA1));
    assert!(!history.is_repetition());
    shuffle_on(&mut history, 2, 1);
    assert_eq!(history.alarms().queries, 0);
    assert!(!history.would_repeat(0x99));
    assert_eq!(history.alarms().queries, 1);
}

#[test]
fn what_precedes_an_irreversible_move_is_not_in_the_filter() {
    let mut history = History::new(12).expect("an allowed size");
    history.set_game([(0xA1, 7), (0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]);
    assert!(!history.would_repeat(0xA1));
    assert_eq!((history.alarms().queries, history.alarms().maybes), (1, 0));
}

#[test]
fn an_empty_history_has_no_repetition() {
    let mut history = History::new(2).expect("an allowed size");
    assert!(!history.is_repetition());
    assert!(!history.would_repeat(1));
    assert_eq!((history.occurrences(), history.plies()), (0, 0));
    history.set_game([]);
    history.enter(1, 0);
    assert_eq!(history.plies(), 1);
    history.clear();
    assert_eq!(history.plies(), 0);
}

#[test]
#[should_panic(expected = "History::leave at the root")]
fn leaving_the_root_is_refused() {
    after(8).leave();
}
