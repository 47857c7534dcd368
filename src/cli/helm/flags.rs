use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches};
use kapstan_helm::template::{Effect, FLAGS, Flag, GLOBAL_FLAGS, Request};

/// Flags from the tables of Helm's, and what they come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestFlags<const IS_GLOBAL: bool> {
    pub(crate) request: Request,
}

/// The flags of `helm template`.
pub(crate) type TemplateFlags = RequestFlags<false>;

/// The flags of every command.
pub(crate) type GlobalFlags = RequestFlags<true>;

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
        Some(value) => argument.num_args(0..=1).require_equals(true).default_missing_value(value),
        None => argument.num_args(1).allow_hyphen_values(true).value_name(flag.value),
    }
}

impl<const IS_GLOBAL: bool> RequestFlags<IS_GLOBAL> {
    const FLAGS: &[Flag] = if IS_GLOBAL { GLOBAL_FLAGS } else { FLAGS };
}

impl<const IS_GLOBAL: bool> clap::Args for RequestFlags<IS_GLOBAL> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::FLAGS.iter().map(|flag| argument(flag).global(IS_GLOBAL)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const IS_GLOBAL: bool> FromArgMatches for RequestFlags<IS_GLOBAL> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut request = Request::default();
        for flag in Self::FLAGS {
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
