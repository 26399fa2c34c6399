//! The real binary, driven as GUIs, testers, scripts and attackers drive it.

mod annotate;
mod cli;
mod dialogue;
mod interruptions;
mod malformed;
mod openbench;
mod see_it_think;
mod util;
