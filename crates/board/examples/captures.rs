//! Which captures of a position win material, and which checks does it have?

use sextant_board::{CheckSquares, MoveSets, parse_fen, see_ge, to_san};

fn main() -> Result<(), sextant_board::FenError> {
    let pos = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")?;
    let checks = CheckSquares::of(&pos);
    let mut captures = Vec::new();
    MoveSets::generate(&pos).noisy(&pos, |_, mv| captures.push(mv));
    for mv in captures {
        let worth = if see_ge(&pos, mv, 1) {
            "wins material"
        } else {
            "does not"
        };
        let check = if checks.gives_check(&pos, mv) {
            ", with check"
        } else {
            ""
        };
        println!("{:6} {worth}{check}", to_san(&pos, mv));
    }
    Ok(())
}
