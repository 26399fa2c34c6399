//! Lines from searches, cut into pieces of one clock band each, and how they are replayed.
//!
//! A trace is a sequence of events. As text it is one event a line, keys in hexadecimal:
//!
//! ```text
//! game KEY:CLOCK KEY:CLOCK ...     a search starts; the last position is the root
//! e KEY CLOCK                      a move was made
//! n KEY                            a null move was made
//! l                                the last move was taken back
//! ```

use std::ops::Range;

use crate::detectors::{AsksAhead, Detector};

/// The bands of the half-move clock, counted from the last null move where there is one, because
/// nothing older can be repeated. The last band ends with the fifty-move rule.
pub(crate) const BANDS: [Range<u16>; 3] = [0..8, 8..40, 40..101];

/// How many nodes are replayed at a time.
pub(crate) const NODES: usize = 1000;

/// A smaller piece would be repeated so often that the branch predictor knows it by heart.
const FEWEST: usize = 250;

/// Pieces kept of each band.
const MOST_FORESTS: usize = 100;

#[derive(Clone, Debug)]
pub(crate) enum Event {
    Game(Vec<(u64, u16)>),
    Enter(u64, u16),
    Null(u64),
    Leave,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    key: u64,
    pub(crate) clock: u16,
    /// How many positions are left after this node, itself included.
    leaves: u16,
}

/// Nodes of one band that hang together, and what precedes them.
#[derive(Clone, Debug)]
pub(crate) struct Forest {
    game: Vec<(u64, u16)>,
    path: Vec<(u64, u16)>,
    pub(crate) nodes: Vec<Node>,
}

impl Forest {
    pub(crate) fn prepare(&self, detector: &mut impl Detector) {
        detector.set_game(&self.game);
        for &(key, clock) in &self.path {
            detector.enter(key, clock);
        }
    }

    /// Returns the number of repetitions, so that nothing is optimised away.
    #[inline(never)]
    pub(crate) fn replay(&self, detector: &mut impl Detector) -> usize {
        let mut repetitions = 0;
        for node in &self.nodes {
            detector.enter(node.key, node.clock);
            repetitions += usize::from(detector.is_repetition());
            for _ in 0..node.leaves {
                detector.leave();
            }
        }
        repetitions
    }

    /// The same, and asks at every node whether one of eight children repeats. The next nodes of
    /// the line stand in for the children.
    #[inline(never)]
    pub(crate) fn replay_asking_ahead(&self, detector: &mut impl AsksAhead) -> usize {
        let mut repetitions = 0;
        for (index, node) in self.nodes.iter().enumerate() {
            detector.enter(node.key, node.clock);
            repetitions += usize::from(detector.is_repetition());
            let children = &self.nodes[index + 1..(index + 9).min(self.nodes.len())];
            repetitions += usize::from(detector.upcoming(children.iter().map(|child| child.key)));
            for _ in 0..node.leaves {
                detector.leave();
            }
        }
        repetitions
    }

    /// Brings the nodes to `NODES`, if there are enough to begin with.
    fn filled(mut self) -> Option<Forest> {
        let own = self.nodes.len();
        if own < FEWEST {
            return None;
        }
        while self.nodes.len() < NODES {
            self.nodes.extend_from_within(..own);
        }
        self.nodes.truncate(NODES);
        Some(self)
    }
}

/// A position on the line while the trace is read.
struct Frame {
    key: u64,
    reach: u16,
    band: usize,
    /// Number of the forest under way that it belongs to.
    forest: usize,
    /// Whether its forest holds it as a node, not as the end of the path.
    is_node: bool,
}

fn band_of(reach: u16) -> usize {
    BANDS
        .iter()
        .position(|band| band.contains(&reach))
        .unwrap_or(BANDS.len() - 1)
}

/// Cuts the searches into forests.
pub(crate) fn collect(events: impl IntoIterator<Item = Event>) -> [Vec<Forest>; BANDS.len()] {
    let mut line: Vec<Frame> = Vec::new();
    let mut game_len = 0;
    let mut open: Vec<(usize, Forest)> = Vec::new();
    let mut done: [Vec<Forest>; BANDS.len()] = Default::default();
    for event in events {
        match event {
            Event::Game(game) => {
                finish(&mut open, &mut done);
                line.clear();
                game_len = game.len();
                for (key, clock) in game {
                    game_len = line.len() + 1;
                    descend(&mut line, game_len, &mut open, key, clock);
                }
            }
            Event::Enter(key, clock) => descend(&mut line, game_len, &mut open, key, clock),
            // Whatever follows a null move is cut off from the past, as by a capture.
            Event::Null(key) => descend(&mut line, game_len, &mut open, key, 0),
            Event::Leave => {
                let Some(left) = line.pop() else { continue };
                let nodes = &mut open[left.forest].1.nodes;
                if let Some(last) = nodes.last_mut().filter(|_| left.is_node) {
                    last.leaves += 1;
                }
            }
        }
    }
    finish(&mut open, &mut done);
    done.map(thinned)
}

/// Puts a position on the line: into its parent's forest if that is of the same band and has room,
/// or on top of a new one.
fn descend(
    line: &mut Vec<Frame>,
    game_len: usize,
    open: &mut Vec<(usize, Forest)>,
    key: u64,
    clock: u16,
) {
    let reach = line.last().map_or(0, |last| clock.min(last.reach + 1));
    let band = band_of(reach);
    let in_search = line.len() >= game_len;
    if !in_search || line.last().is_none_or(|parent| parent.band != band) {
        line.push(Frame {
            key,
            reach,
            band,
            forest: open.len(),
            is_node: false,
        });
        open.push((band, above(line, game_len)));
        return;
    }
    let parent = line.len() - 1;
    if open[line[parent].forest].1.nodes.len() == NODES {
        open.push((band, above(line, game_len)));
        line[parent].forest = open.len() - 1;
        line[parent].is_node = false;
    }
    let forest = line[parent].forest;
    open[forest].1.nodes.push(Node {
        key,
        clock: reach,
        leaves: 0,
    });
    line.push(Frame {
        key,
        reach,
        band,
        forest,
        is_node: true,
    });
}

/// An empty forest on top of this line.
fn above(line: &[Frame], game_len: usize) -> Forest {
    let whole: Vec<_> = line.iter().map(|frame| (frame.key, frame.reach)).collect();
    let (game, path) = whole.split_at(game_len.min(whole.len()));
    Forest {
        game: game.to_vec(),
        path: path.to_vec(),
        nodes: Vec::new(),
    }
}

fn finish(open: &mut Vec<(usize, Forest)>, done: &mut [Vec<Forest>; BANDS.len()]) {
    for (band, forest) in open.drain(..) {
        done[band].extend(forest.filled());
    }
}

/// Keeps some of the pieces, from all over the trace.
fn thinned(forests: Vec<Forest>) -> Vec<Forest> {
    let every = forests.len().div_ceil(MOST_FORESTS).max(1);
    forests.into_iter().step_by(every).collect()
}

/// Reads a trace; a line that is no event is a mistake of whoever wrote the file.
pub(crate) fn from_trace(text: &str) -> [Vec<Forest>; BANDS.len()] {
    collect(
        text.lines()
            .map(|line| event(line).unwrap_or_else(|| panic!("not an event: {line}"))),
    )
}

fn event(line: &str) -> Option<Event> {
    let key = |word: &str| u64::from_str_radix(word, 16).ok();
    let mut words = line.split_ascii_whitespace();
    match words.next()? {
        "game" => words
            .map(|word| {
                let (position, clock) = word.split_once(':')?;
                Some((key(position)?, clock.parse().ok()?))
            })
            .collect::<Option<_>>()
            .map(Event::Game),
        "e" => Some(Event::Enter(
            key(words.next()?)?,
            words.next()?.parse().ok()?,
        )),
        "n" => Some(Event::Null(key(words.next()?)?)),
        "l" => Some(Event::Leave),
        _ => None,
    }
}
