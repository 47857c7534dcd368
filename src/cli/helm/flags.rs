use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches};
use kapstan_helm::template::{DEPENDENCY_FLAGS, Effect, FLAGS, Flag, GLOBAL_FLAGS, Request};

/// Flags from Helm's tables, and what they come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestFlags<const OF: char> {
    pub(crate) request: Request,
}

/// The flags of `helm template`.
pub(crate) type TemplateFlags = RequestFlags<'t'>;

/// The flags that other commands share with it: those about values.
pub(crate) type ValueFlags = RequestFlags<'v'>;

/// The flags of every command.
pub(crate) type GlobalFlags = RequestFlags<'g'>;

/// The flags of `helm dependency build` and `update`.
pub(crate) type DependencyFlags = RequestFlags<'d'>;

/// The flags of `helm show`: where charts come from.
pub(crate) type ShowFlags = RequestFlags<'s'>;

const ABOUT_PLACES: &[&str] = &[
    "version",
    "devel",
    "repo",
    "verify",
    "keyring",
    "username",
    "password",
    "pass-credentials",
    "ca-file",
    "cert-file",
    "key-file",
    "insecure-skip-tls-verify",
    "plain-http",
];

const ABOUT_VALUES: &[&str] = &[
    "values",
    "set",
    "set-string",
    "set-file",
    "set-json",
    "set-literal",
    "skip-schema-validation",
    "kube-version",
    "seed",
];

/// A switch's value in Go's words for true and false.
pub(super) fn truth(word: &str) -> Result<bool, String> {
    match word {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(false),
        _ => Err("a switch is `true` or `false`".to_owned()),
    }
}

fn argument(flag: &'static Flag) -> Arg {
    let is_of_use =
        matches!(flag.effect, Effect::Switch(_) | Effect::Text(_) | Effect::Texts(_) | Effect::List(_));
    let argument =
        Arg::new(flag.name).long(flag.name).help(flag.help).hide(!is_of_use).action(ArgAction::Append);
    let argument = match flag.short {
        Some(letter) => argument.short(letter),
        None => argument,
    };
    match flag.optional_value {
        Some(value) => {
            argument.num_args(0..=1).require_equals(true).default_missing_value(value).value_name("BOOL")
        }
        None => argument.num_args(1).allow_hyphen_values(true).value_name(flag.value),
    }
}

impl<const OF: char> RequestFlags<OF> {
    fn flags() -> impl Iterator<Item = &'static Flag> {
        let table = match OF {
            'g' => GLOBAL_FLAGS,
            'd' => DEPENDENCY_FLAGS,
            _ => FLAGS,
        };
        table.iter().filter(|flag| match OF {
            'v' => ABOUT_VALUES.contains(&flag.name),
            's' => ABOUT_PLACES.contains(&flag.name),
            _ => true,
        })
    }
}

impl<const OF: char> clap::Args for RequestFlags<OF> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::flags().map(|flag| argument(flag).global(OF == 'g')))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const OF: char> FromArgMatches for RequestFlags<OF> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut request = Request::default();
        for flag in Self::flags() {
            for value in matches.get_many::<String>(flag.name).into_iter().flatten() {
                flag.apply(value, &mut request)
                    .map_err(|problem| Error::raw(ErrorKind::ValueValidation, format!("{problem}\n")))?;
            }
        }
        Ok(Self { request })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
