//! Questions about the inventory as a whole.

use crate::Inventory;
use crate::store::normal;
use kapstan_diagnostic::Diagnostic;
use kapstan_document::Text;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Inventory {
    /// Renders every target. Every problem and warning of each, in the order of the targets; a problem that several
    /// targets share, because it lies in a class, comes with each of them.
    pub fn check(&self) -> Vec<(Text, Vec<Diagnostic>)> {
        let found = self.targets().iter().map(|file| {
            let problems = match self.target(&file.name) {
                Ok(target) => target.warnings.clone(),
                Err(problems) => (*problems).clone(),
            };
            (file.name.clone(), problems)
        });
        found.filter(|(_, problems)| !problems.is_empty()).collect()
    }

    /// The files that a target is made of: those of its classes in merge order, then its own.
    ///
    /// Fails where the classes cannot be found; references do not matter here.
    pub fn files_of(&self, target: &str) -> Result<Vec<PathBuf>, Arc<Vec<Diagnostic>>> {
        let Some(at) = self.targets().iter().position(|file| &*file.name == target) else {
            return Err(Arc::new(vec![self.unknown_target(target)]));
        };
        if self.targets()[at].is_hidden {
            return Ok(Vec::new());
        }
        let assembled = self.assemble(at).map_err(Arc::new)?;
        let paths = assembled.contributions.iter().map(|part| part.entity.path.clone());
        Ok(paths.filter(|path| !path.as_os_str().is_empty()).collect())
    }

    /// The targets that a file of the inventory reaches, sorted by path; of those whose classes cannot be found only the
    /// one whose own file it is. The configuration reaches all.
    pub fn dependants(&self, file: &Path) -> Vec<Text> {
        let wanted = self.absolute(file);
        if wanted.file_name().is_some_and(|name| name == "reclass-config.yml") {
            return self.targets().iter().map(|file| file.name.clone()).collect();
        }
        let reached = self.targets().iter().filter(|target| {
            let own = self.absolute(&self.folder.join(&target.path));
            let is_in = |files: Vec<PathBuf>| files.iter().any(|file| self.absolute(file) == wanted);
            own == wanted || self.files_of(&target.name).is_ok_and(is_in)
        });
        reached.map(|target| target.name.clone()).collect()
    }

    /// The classes that no target uses, sorted, with their files.
    ///
    /// Fails where the classes of a target cannot be found, since what it would use is not known then.
    pub fn unused_classes(&self) -> Result<Vec<(Text, PathBuf)>, Vec<Diagnostic>> {
        let mut used: FxHashSet<PathBuf> = FxHashSet::default();
        for target in self.targets() {
            used.extend(self.files_of(&target.name).map_err(|problems| (*problems).clone())?);
        }
        let mut unused = self.classes()?;
        unused.retain(|(_, path)| !used.contains(path));
        Ok(unused)
    }

    /// All classes, sorted, with their files.
    ///
    /// Fails where the folder of classes cannot be read.
    pub fn classes(&self) -> Result<Vec<(Text, PathBuf)>, Vec<Diagnostic>> {
        let classes = self.store.classes().map_err(|problem| vec![problem])?;
        let all =
            classes.by_name.iter().flat_map(|(name, class)| class.paths.iter().map(move |path| (name, path)));
        let mut all: Vec<(Text, PathBuf)> = all.map(|(name, path)| (name.clone(), path.clone())).collect();
        all.sort();
        Ok(all)
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        normal(&self.store.files.absolute(path))
    }
}
