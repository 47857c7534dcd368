/// A place in a document that is being watched: a number that only its [`Witness`] understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(pub u32);

/// Is told which parts of a shared document an engine looks at, so that one knows later what a result depends on.
///
/// An engine that walks a document lazily keeps the [`Place`] of each container beside it and reports each step.
pub trait Witness {
    /// The value of `key` (for sequences: the index in decimal) in the container at `container` was asked for, whether
    /// it is there or not. Returns the place of that value.
    fn entered(&self, container: Place, key: &str) -> Place;

    /// The keys or the length of the container were asked for, or all of it was taken over.
    fn enumerated(&self, container: Place);
}
