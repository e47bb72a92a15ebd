//! Decides whether a build product is up to date, by a fingerprint of its inputs stored next to it.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use anyhow::{Context, Result};

pub struct Inputs(DefaultHasher);

impl Inputs {
    /// Starts with the source code of the recipe itself, so that changing it rebuilds the product.
    pub fn of_recipe(source: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        source.hash(&mut hasher);
        Self(hasher)
    }

    pub fn add(&mut self, value: impl Hash) {
        value.hash(&mut self.0);
    }

    pub fn add_file(&mut self, path: &Path) -> Result<()> {
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        self.add(bytes);
        Ok(())
    }

    /// Adds a file, or every file below a folder with its name.
    pub fn add_all(&mut self, path: &Path) -> Result<()> {
        if !path.is_dir() {
            return self.add_file(path);
        }
        let entries =
            fs::read_dir(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            self.add(path.file_name());
            self.add_all(&path)?;
        }
        Ok(())
    }

    pub fn fingerprint(&self) -> String {
        format!("{:016x}", self.0.finish())
    }
}

/// Returns whether the stamp file holds this fingerprint.
pub fn is_current(stamp: &Path, fingerprint: &str) -> bool {
    fs::read_to_string(stamp).is_ok_and(|kept| kept == fingerprint)
}

#[cfg(test)]
mod tests {
    use super::Inputs;

    fn fingerprint(recipe: &str, values: &[&str]) -> String {
        let mut inputs = Inputs::of_recipe(recipe);
        for value in values {
            inputs.add(value);
        }
        inputs.fingerprint()
    }

    #[test]
    fn the_same_inputs_give_the_same_fingerprint() {
        assert_eq!(fingerprint("r", &["a", "b"]), fingerprint("r", &["a", "b"]));
    }

    #[test]
    fn recipe_content_and_boundaries_change_the_fingerprint() {
        let base = fingerprint("r", &["a", "b"]);
        assert_ne!(base, fingerprint("s", &["a", "b"]));
        assert_ne!(base, fingerprint("r", &["a", "c"]));
        assert_ne!(base, fingerprint("r", &["ab"]));
    }
}
