use super::request::Request;
use crate::chart::{Chart, LoadOptions};
use crate::error::{Error, Result};
use crate::manifests::Rendered;
use crate::render::{RenderOptions, render};
use crate::values::{ValueContext, user_values};
use crate::{Limits, Profile, dependencies};
use kapstan_diagnostic::Sources;
use kapstan_files::Files;
use kapstan_gotemplate::functions::sprig::{self, Host};
use kapstan_gotemplate::{Options, Set, Value};
use std::path::Path;
use std::rc::Rc;

/// The name of a release that nobody named.
const UNNAMED: &str = "release-name";

/// What a request is carried out with.
#[derive(Clone, Copy)]
pub struct Context<'c> {
    /// The files.
    pub files: &'c dyn Files,
    /// What `-` among the values stands for.
    pub standard_input: Option<&'c [u8]>,
    /// Where the files that messages point into are kept.
    pub sources: &'c Sources,
    /// Which Helm is followed.
    pub profile: Profile,
    /// Makes the clock and the randomness that functions get.
    pub host: &'c (dyn Fn() -> Host + Sync),
    /// How many threads may read what large charts render.
    pub threads: usize,
}

/// A chart, rendered as it was asked for.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The release's name.
    pub name: String,
    /// What came out.
    pub rendered: Rendered,
}

impl Request {
    /// Loads a chart and renders it, as `helm template` does.
    pub fn run(&self, chart: &Path, context: &Context<'_>) -> Result<Answer> {
        let name = self.release(context)?;
        let load =
            LoadOptions { profile: context.profile, limits: Limits::default(), sources: context.sources };
        let chart = Chart::load(context.files, chart, &load)?;
        let values = user_values(
            &self.values,
            &ValueContext {
                files: context.files,
                standard_input: context.standard_input,
                sources: context.sources,
                profile: context.profile,
            },
        )?;
        let options = RenderOptions {
            profile: context.profile,
            namespace: self.namespace.clone().unwrap_or_else(|| "default".to_owned()),
            is_upgrade: self.is_upgrade,
            include_crds: self.include_crds,
            skip_schema: self.skip_schema_validation,
            api_versions: self.api_versions.clone(),
            kube_version: self.kube_version.clone(),
            threads: context.threads,
            ..RenderOptions::new(&name, context.host, context.sources)
        };
        if self.updates_dependencies && dependencies::check(&chart, context.profile).is_err() {
            let text = "--dependency-update changes a chart's folder, which is not done here: run `helm dependency update`";
            return Err(Error::new("helm::unavailable", text));
        }
        Ok(Answer { rendered: render(&chart, &values, &options)?, name })
    }

    /// The release's name: the given one, what the template for it makes, or Helm's own.
    fn release(&self, context: &Context<'_>) -> Result<String> {
        if let Some(name) = &self.name {
            let flag = match () {
                () if self.generate_name => "--generate-name",
                () if self.name_template.is_some() => "--name-template",
                () => return Ok(name.clone()),
            };
            return Err(Error::new("helm::usage", format!("cannot set {flag} and also specify a name")));
        }
        let Some(template) = self.name_template.as_deref().filter(|template| !template.is_empty()) else {
            return Ok(UNNAMED.to_owned());
        };
        let failed = |text: String| Error::new("helm::name-template", text);
        let mut set = Set::new("name-template", sprig::functions());
        set.parse("name-template", template).map_err(|error| failed(error.to_string()))?;
        let options = Options { host: Some(Rc::new((context.host)())), ..Options::default() };
        let made =
            set.execute("name-template", Value::Nil, &options).map_err(|error| failed(error.to_string()))?;
        Ok(made.to_string())
    }
}
