//! The real binary, driven as GUIs, testers, scripts and attackers drive it.

mod cli;
mod compliance;
mod dialogue;
mod garbage;
mod interruptions;
mod malformed;
mod mates;
mod networks;
mod openbench;
mod util;
