use super::Failure;
use super::arguments::RefsArguments;
use super::context::{Context, references_host};
use super::dotfile::Section;
use super::exit::Exit;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::Node;
use kapstan_refs::command::{self, TargetsReport, UpdateRequest, VaultFlags, WriteRequest};
use kapstan_refs::{References, Settings};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Writes, reveals, updates or validates references; of several wishes the first in this order is done.
///
/// Behaviour: Kapitan's `refs`.
pub(crate) fn run(context: &Context<'_>, arguments: &RefsArguments) -> Result<(), Failure> {
    let section = context.dotfile.section("refs");
    let from_dotfile = section.path("refs-path")?;
    let refs_path = arguments.refs_path.clone().or(from_dotfile).unwrap_or_else(|| "./refs".into());
    let settings = Settings { refs_path: refs_path.clone(), embed_refs: false, reveal: false };
    let references = References::new(settings, references_host(context, &refs_path));
    let flag = |given: bool, name: &str| given || section.flag(name);
    if let Some(token) = &arguments.write {
        write(context, arguments, section, &references, token)
    } else if flag(arguments.reveal, "reveal") {
        reveal(context, arguments, &references)
    } else if let Some(token) = &arguments.update {
        update(context, arguments, section, &references, token)
    } else if flag(arguments.update_targets, "update-targets") {
        across_targets(context, arguments, section, &references, command::update_targets)
    } else if flag(arguments.validate_targets, "validate-targets") {
        across_targets(context, arguments, section, &references, command::validate_targets)
    } else {
        Ok(())
    }
}

fn write(
    context: &Context<'_>,
    arguments: &RefsArguments,
    section: Section<'_>,
    references: &References,
    token: &str,
) -> Result<(), Failure> {
    let Some(file) = &arguments.file else {
        let problem = Diagnostic::error("refs::no-file", "--file is required with --write");
        return Err(vec![problem.with_hint("--file - reads standard input")].into());
    };
    let content = read(file)?;
    let secrets = secrets(context, arguments, section)?;
    let recipients = recipients(arguments, section)?;
    let key = text(&arguments.key, section, "key")?;
    let auth = text(&arguments.vault_auth, section, "vault-auth")?;
    let vault_key = text(&arguments.vault_key, section, "vault-key")?;
    let request = WriteRequest {
        token,
        content: &content,
        is_binary: arguments.binary || section.flag("binary"),
        encodes: arguments.base64 || section.flag("base64"),
        recipients: &recipients,
        key: key.as_deref(),
        secrets: secrets.as_ref(),
        vault: VaultFlags { auth: auth.as_deref(), key: vault_key.as_deref() },
    };
    command::write(references, &request).map_err(problem)?;
    Ok(())
}

fn update(
    context: &Context<'_>,
    arguments: &RefsArguments,
    section: Section<'_>,
    references: &References,
    token: &str,
) -> Result<(), Failure> {
    let secrets = secrets(context, arguments, section)?;
    let recipients = recipients(arguments, section)?;
    let key = text(&arguments.key, section, "key")?;
    let request =
        UpdateRequest { token, recipients: &recipients, key: key.as_deref(), secrets: secrets.as_ref() };
    command::update(references, &request).map_err(problem)?;
    Ok(())
}

fn reveal(context: &Context<'_>, arguments: &RefsArguments, references: &References) -> Result<(), Failure> {
    let is_stdin = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
    let revealed = if is_stdin(&arguments.file) || is_stdin(&arguments.ref_file) {
        command::reveal_stream(references, &read(Path::new("-"))?).map_err(problem)?
    } else if let Some(file) = &arguments.file {
        command::reveal_path(references, file, &context.sources).map_err(|problem| vec![problem])?
    } else if let Some(file) = &arguments.ref_file {
        command::reveal_ref_file(references, file).map_err(problem)?
    } else if let Some(tag) = &arguments.tag {
        command::reveal_tag(references, tag).map_err(problem)?
    } else {
        let problem =
            Diagnostic::error("refs::nothing-to-reveal", "--reveal needs --file, --ref-file or --tag");
        return Err(vec![problem].into());
    };
    let mut out = std::io::stdout().lock();
    out.write_all(revealed.expose().as_bytes())?;
    Ok(out.flush()?)
}

type AcrossTargets =
    fn(&References, &[&str], &dyn Fn(&str) -> Result<Option<Node>, Vec<Diagnostic>>) -> TargetsReport;

fn across_targets(
    context: &Context<'_>,
    arguments: &RefsArguments,
    section: Section<'_>,
    references: &References,
    work: AcrossTargets,
) -> Result<(), Failure> {
    let targets = context.targets(&arguments.backend, arguments.inventory_path.as_ref(), section)?;
    let names: Vec<&str> = targets.names().iter().map(|name| &**name).collect();
    let secrets = |name: &str| match targets.get(name) {
        Some(Ok(target)) => Ok(target.secrets().cloned()),
        Some(Err(problems)) => Err(problems.to_vec()),
        None => Ok(None),
    };
    let report = work(references, &names, &secrets);
    for line in &report.lines {
        context.reporter.finding(line, &Diagnostic::warning("refs::target", line));
    }
    context.reporter.report_all(&report.problems);
    let is_update = arguments.update_targets || section.flag("update-targets");
    let is_fine = report.problems.is_empty() && (is_update || report.mismatched.is_empty());
    if is_fine { Ok(()) } else { Err(Failure::Silent(Exit::Input)) }
}

/// What the named target says under `parameters.kapitan.secrets`.
fn secrets(
    context: &Context<'_>,
    arguments: &RefsArguments,
    section: Section<'_>,
) -> Result<Option<Node>, Failure> {
    let Some(name) = &arguments.target_name else { return Ok(None) };
    let targets = context.targets(&arguments.backend, arguments.inventory_path.as_ref(), section)?;
    Ok(super::inventory::target(context, &targets, name)?.secrets().cloned())
}

fn recipients(arguments: &RefsArguments, section: Section<'_>) -> Result<Vec<String>, Failure> {
    let from_dotfile = section.texts("recipients")?;
    Ok(arguments.recipients.clone().or(from_dotfile).unwrap_or_default())
}

fn text(given: &Option<String>, section: Section<'_>, flag: &str) -> Result<Option<String>, Failure> {
    let from_dotfile = section.text(flag)?;
    Ok(given.clone().or(from_dotfile).filter(|text| !text.is_empty()))
}

fn problem(error: kapstan_refs::Error) -> Failure {
    vec![error.into_diagnostic()].into()
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let content = if file == Path::new("-") {
        let mut content = Vec::new();
        std::io::stdin().lock().read_to_end(&mut content).map(|_| content)
    } else {
        std::fs::read(file)
    };
    content.map_err(|error| {
        vec![Diagnostic::error("refs::unreadable", format!("cannot read `{}`: {error}", file.display()))]
            .into()
    })
}
