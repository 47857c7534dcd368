use crate::{Scalar, Text};

/// A value of TOML, with the types that Go gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A string, an integer, a double or a boolean.
    Scalar(Scalar),
    /// A point in time, or a part of one.
    Moment(Moment),
    /// `[...]`: a `[]interface {}`.
    List(Vec<Self>),
    /// A table, its entries in their order: a `map[string]interface {}`.
    Table(Entries),
    /// The tables of `[[...]]`: a `[]map[string]interface {}`.
    Tables(Vec<Entries>),
}

/// Keys and values of a table. No key comes twice.
pub type Entries = Vec<(Text, Item)>;

/// What TOML knows of time, checked, as text in the form of RFC 3339: `T` and `Z` in capitals, seconds always, a fraction
/// of them without zeros at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// `2001-02-03T04:05:06Z`
    Zoned(String),
    /// `2001-02-03T04:05:06`
    Local(String),
    /// `2001-02-03`
    Date(String),
    /// `04:05:06`
    Time(String),
}
