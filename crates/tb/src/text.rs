//! What a person reads.

use std::fmt::Write;

use cozy_chess::{Board, Color, File, Rank, Square};
use sextant_board::{Position, numbered_san, piece_letter};
use sextant_syzygy::{
    Category, Dtz, Judged, JudgedMove, LineEnd, MAX_LINE_PLIES, MainLine, ProbeError, Tablebase,
    Verdict,
};

/// Board, verdict, moves, main line.
pub(crate) fn report(tables: &Tablebase, board: &Board, judged: &Judged) -> String {
    let mut text = diagram(board);
    let _ = writeln!(text, "FEN {board}\n");
    let _ = writeln!(text, "{}", sentence(board.side_to_move(), &judged.verdict));
    if let Some(problem) = judged.verdict.problem {
        let _ = writeln!(text, "Note: {problem}.");
    }
    for (title, belongs) in GROUPS {
        let group = judged
            .moves
            .iter()
            .filter(|judged| belongs(judged.after.category));
        let words: Vec<String> = group.map(move_words).collect();
        if !words.is_empty() {
            let _ = writeln!(text, "\n{title} ({}):", words.len());
            text.push_str(&columns(&words));
        }
    }
    if let Ok(line) = tables.main_line(board, MAX_LINE_PLIES)
        && !line.moves.is_empty()
    {
        let _ = writeln!(text, "\n{}", line_words(board, &line));
    }
    text
}

/// Only the main line.
pub(crate) fn main_line(tables: &Tablebase, board: &Board) -> Result<String, ProbeError> {
    let line = tables.main_line(board, MAX_LINE_PLIES)?;
    Ok(line_words(board, &line) + "\n")
}

type Belongs = fn(Option<Category>) -> bool;

/// The groups of moves; categories are the opponent's after the move.
const GROUPS: [(&str, Belongs); 6] = [
    ("Winning moves", |after| {
        matches!(after, Some(Category::Loss | Category::MaybeLoss))
    }),
    ("Winning but for the 50-move rule", |after| {
        after == Some(Category::BlessedLoss)
    }),
    ("Moves without an answer", |after| after.is_none()),
    ("Drawing moves", |after| after == Some(Category::Draw)),
    ("Losing but for the 50-move rule", |after| {
        after == Some(Category::CursedWin)
    }),
    ("Losing moves", |after| {
        matches!(after, Some(Category::Win | Category::MaybeWin))
    }),
];

fn diagram(board: &Board) -> String {
    let mut text = String::new();
    for &rank in Rank::ALL.iter().rev() {
        let _ = write!(text, "{rank} ");
        for &file in &File::ALL {
            let square = Square::new(file, rank);
            let standing = board.color_on(square).zip(board.piece_on(square));
            let letter = standing.map_or('.', |(color, piece)| piece_letter(color, piece));
            let _ = write!(text, " {letter}");
        }
        text.push('\n');
    }
    text + "\n   a b c d e f g h\n\n"
}

/// The verdict in words, colors named.
fn sentence(mover: Color, verdict: &Verdict) -> String {
    let (us, them) = (color_name(mover), color_name(!mover));
    let start = if verdict.checkmate {
        return format!("Checkmate: {them} has won.");
    } else if verdict.stalemate {
        return "Stalemate: a draw.".into();
    } else if verdict.insufficient_material {
        return "Dead position: neither side can mate. A draw.".into();
    } else {
        match verdict.category {
            None => return format!("{us} to move: no answer."),
            Some(Category::Win) => format!("{us} to move wins"),
            Some(Category::MaybeWin) => {
                format!("{us} to move wins, or is one ply too late for the 50-move rule")
            }
            Some(Category::CursedWin) => {
                format!("{us} to move would win, but the 50-move rule makes it a draw")
            }
            Some(Category::Draw) => format!("{us} to move: a draw"),
            Some(Category::BlessedLoss) => {
                format!("{us} to move would lose, but the 50-move rule makes it a draw")
            }
            Some(Category::MaybeLoss) => {
                format!("{us} to move loses, or is saved by one ply by the 50-move rule")
            }
            Some(Category::Loss) => format!("{us} to move loses"),
        }
    };
    match verdict.dtz {
        Some(dtz) if dtz.plies != 0 => format!("{start}. DTZ {}.", dtz_words(dtz)),
        None if verdict.clock_ignored => format!("{start} (the half-move clock not counted)."),
        _ => format!("{start}."),
    }
}

fn dtz_words(dtz: Dtz) -> String {
    let other = dtz.plies + dtz.plies.signum();
    if dtz.rounded {
        format!("{} or {other}", dtz.plies)
    } else {
        dtz.plies.to_string()
    }
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// A move with the opponent's distance after it.
fn move_words(judged: &JudgedMove) -> String {
    let after = &judged.after;
    let note = match after.dtz {
        _ if after.checkmate => "mate".into(),
        _ if after.stalemate => "stalemate".into(),
        _ if after.insufficient_material => "dead".into(),
        Some(dtz) if dtz.plies != 0 && judged.zeroing => format!("zeroing, then {}", dtz.plies),
        Some(dtz) if dtz.plies != 0 => format!("DTZ {}", dtz.plies),
        _ if judged.zeroing => "zeroing".into(),
        _ => String::new(),
    };
    if note.is_empty() {
        judged.san.clone()
    } else {
        format!("{} ({note})", judged.san)
    }
}

/// Words in columns of equal width, at most 80 characters a line.
fn columns(words: &[String]) -> String {
    let width = words.iter().map(String::len).max().unwrap_or(0) + 2;
    let per_line = (76 / width).max(1);
    let lines = words.chunks(per_line).map(|line| {
        let cells: String = line.iter().map(|word| format!("{word:width$}")).collect();
        format!("  {}\n", cells.trim_end())
    });
    lines.collect()
}

fn line_words(board: &Board, line: &MainLine) -> String {
    let moves = numbered_san(
        &Position::new(board.clone()),
        line.moves.iter().map(|step| step.mv),
    );
    let plies = line.moves.len();
    format!(
        "Main line ({plies} plies): {moves}\n{}",
        end_words(line.end)
    )
}

/// Why a line ends.
pub(crate) fn end_words(end: LineEnd) -> String {
    match end {
        LineEnd::Checkmate => "Ends in checkmate.".into(),
        LineEnd::Stalemate => "Ends in stalemate.".into(),
        LineEnd::InsufficientMaterial => "Ends in a dead position.".into(),
        LineEnd::Draw => "A draw: any of the drawing moves will do.".into(),
        LineEnd::FiftyMoves => "Ends by the 50-move rule.".into(),
        LineEnd::MaxPlies => "Cut off here.".into(),
        LineEnd::NoTable(error) => format!("Ends here: {error}."),
    }
}
