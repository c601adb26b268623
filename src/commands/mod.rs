//! The commands: wiring between the command line and the stages. Which one runs is for `program` to say.

pub mod audit;
pub mod check;
pub mod gate;
pub mod input;
pub mod judge_claim;
pub mod learn;
pub mod mdbook;
pub mod output;
pub mod render;
pub mod run;
pub mod show;
pub mod verify;
pub mod works;
