//! Helm charts: loading, values, rendering and the manifests that come out.
//!
//! A chart comes in as files (a folder or an archive, through [`kapstan_files::Files`]), values as texts and command-line
//! assignments; manifests, hooks and notes go out, byte for byte as `helm template` of Helm 4.2 or Helm 3 prints them
//! ([`Profile`]). The template language and its functions are `kapstan-gotemplate`'s; fetching charts, writing files and
//! running a post-renderer are the program's.

mod capabilities;
mod chart;
mod dependencies;
mod dependency_build;
mod dependency_list;
mod error;
mod glob;
mod go;
mod jsonpath;
mod lint;
mod log;
mod manifests;
mod name;
mod objects;
mod package;
mod parallel;
mod pattern;
mod profile;
mod render;
mod show;
pub mod template;
mod undeclared;
mod unread;
mod values;
mod version;
mod yaml;

pub use capabilities::{Capabilities, KubeVersion};
pub use chart::{Chart, Dependency, File, Limits, LoadOptions, Lock, Maintainer, Metadata};
pub use dependencies::missing as missing_dependencies;
pub use dependency_build::{DependencyChange, DependencyOptions, dependency_build, dependency_update};
pub use dependency_list::dependency_list;
pub use error::{Error, Result};
pub use lint::{LintMessage, LintSeverity, lint};
pub use manifests::{Document, Event, Hook, Manifest, OutputOptions, Rendered, TreeDocument};
pub use name::{check_release_name, generated_release_name};
pub use package::{Package, PackageOptions, package};
pub use profile::Profile;
pub use render::{RenderOptions, check_installable, render, render_text};
pub use show::{Show, show, show_json_path};
pub use undeclared::{Undeclared, undeclared};
pub use unread::{Unread, unread};
pub use values::{ValueContext, ValueOptions, user_values};
