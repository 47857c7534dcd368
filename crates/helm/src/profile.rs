/// Which Helm is followed where its releases differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Helm 4.2 (compared with 4.2.4).
    #[default]
    V4_2,
    /// Helm 3 (compared with 3.21.4).
    V3,
}

impl Profile {
    /// The profile that a user names: `4.2`, `4` or `3`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "4" | "4.2" => Some(Self::V4_2),
            "3" => Some(Self::V3),
            _ => None,
        }
    }

    /// The name, as [`Profile::from_name`] takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::V4_2 => "4.2",
            Self::V3 => "3",
        }
    }

    /// Whether this is Helm 3.
    pub(crate) fn is_v3(self) -> bool {
        self == Self::V3
    }
}
