use crate::error::{Error, Raised};

/// Where a reference keeps its secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Backend {
    /// In the ref file, as it is; compiled to the text itself.
    Plain,
    /// In the ref file, as base64.
    Base64,
    /// In the environment, with the ref file as the default.
    Env,
    /// In the ref file, encrypted for GnuPG keys.
    Gpg,
    /// In the ref file, encrypted by Google's key service.
    Gkms,
    /// In the ref file, encrypted by Amazon's key service.
    Awskms,
    /// In the ref file, encrypted by Azure's key service.
    Azkms,
    /// In the key-value engine of a vault server.
    VaultKv,
    /// In the ref file, encrypted by a vault server.
    VaultTransit,
}

impl Backend {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Gpg,
        Self::VaultKv,
        Self::VaultTransit,
        Self::Awskms,
        Self::Gkms,
        Self::Azkms,
        Self::Base64,
        Self::Plain,
        Self::Env,
    ];

    /// The back-end of a type name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.name() == name)
    }

    /// The type name, as in tags and ref files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Base64 => "base64",
            Self::Env => "env",
            Self::Gpg => "gpg",
            Self::Gkms => "gkms",
            Self::Awskms => "awskms",
            Self::Azkms => "azkms",
            Self::VaultKv => "vaultkv",
            Self::VaultTransit => "vaulttransit",
        }
    }

    /// Whether it is one of the cloud key services, which encrypt with a named key.
    pub fn is_key_service(self) -> bool {
        matches!(self, Self::Gkms | Self::Awskms | Self::Azkms)
    }

    /// Kapitan's class, which its error texts name.
    pub(crate) fn class_name(self) -> &'static str {
        match self {
            Self::Plain => "PlainRef",
            Self::Base64 => "Base64Ref",
            Self::Env => "EnvRef",
            Self::Gpg => "GPGSecret",
            Self::Gkms => "GoogleKMSSecret",
            Self::Awskms => "AWSKMSSecret",
            Self::Azkms => "AzureKMSSecret",
            Self::VaultKv => "VaultSecret",
            Self::VaultTransit => "VaultTransit",
        }
    }

    /// What people call the service that must be asked.
    fn service(self) -> &'static str {
        match self {
            Self::Plain | Self::Base64 | Self::Env => "the ref file",
            Self::Gpg => "GnuPG",
            Self::Gkms => "Google Cloud KMS",
            Self::Awskms => "AWS KMS",
            Self::Azkms => "Azure Key Vault",
            Self::VaultKv | Self::VaultTransit => "HashiCorp Vault",
        }
    }

    /// The error for what only the back-end's service can do. `what` is said of a reference: "revealed", "encrypted".
    pub(crate) fn without_client(self, what: &str) -> Error {
        let (name, service) = (self.name(), self.service());
        let error = Error::new(
            "refs::no-client",
            format!("a reference of type `{name}` can not be {what}: this build has no client for {service}"),
        );
        let error = if self.is_key_service() {
            error.hint("only the key `mock` works without the service")
        } else {
            error
        };
        error.raised(Raised::Nothing, "")
    }

    /// The error for a type name that is none.
    pub(crate) fn unknown(name: &str) -> Error {
        let error = Error::new("refs::unknown-type", format!("there is no reference type `{name}`"))
            .raised(Raised::Backend, format!("no backend for ref type: {name}"));
        match kapstan_diagnostic::nearest(name, Self::ALL.map(Self::name)) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("the types are: {}", Self::ALL.map(Self::name).join(", "))),
        }
    }
}
