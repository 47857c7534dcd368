//! The inventory: classes and targets, resolved as reclass resolves them inside Kapitan.
//!
//! A folder with `targets/` and `classes/` comes in through [`Files`](kapstan_files::Files); each [`Target`] goes out
//! with its merged and interpolated parameters, in which every value keeps the place where it was written. Only what the
//! asked target needs is read and rendered. What the parameters mean (`parameters.kapitan` above all) is left to others.

mod assemble;
mod discover;
mod entity;
mod explain;
mod interpolate;
mod inventory;
mod lookup;
mod mapping;
mod merge;
mod names;
mod path;
mod problem;
mod rules;
mod store;
mod survey;
mod template;
mod tree;
mod wildcard;
mod words;

pub use discover::TargetFile;
pub use explain::{Effect, Explanation, FollowedReference, Layer};
pub use inventory::{Backend, Inventory, Settings, Target};
