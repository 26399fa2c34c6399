//! What each move of a position does to the evaluation, by the network and by hand.

use sextant_board::parse_fen;
use sextant_eval::{EvalModel, EvalState, nnue::Network};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pos = parse_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 2 3")?;
    let network = EvalModel::Network(Network::embedded()?);
    let mut states = [network, EvalModel::default()].map(EvalState::new);
    states.iter_mut().for_each(|state| state.reset(&pos));
    pos.board().generate_moves(|moves| {
        for mv in moves {
            let (after, delta) = pos.make(mv);
            let [by_network, by_hand] = states.each_mut().map(|state| {
                state.push(&delta);
                // From the opponent's view.
                let score = -state.evaluate(&after).raw();
                state.pop();
                score
            });
            println!("{mv}: network {by_network:+} cp, by hand {by_hand:+} cp");
        }
        false
    });
    Ok(())
}
