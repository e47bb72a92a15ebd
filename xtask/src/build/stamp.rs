//! Decides whether a build product is up to date, by a fingerprint of its inputs stored next to it.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use anyhow::{Context, Result};

use crate::repo;

pub struct Inputs(DefaultHasher);

impl Inputs {
    /// Starts with the source code of the recipe itself, so that changing it rebuilds the product.
    pub fn of_recipe(source: &str) -> Self {
        let mut inputs = Self(DefaultHasher::new());
        inputs.add(source);
        inputs
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
        for (path, name) in repo::files_below(path)? {
            self.add(name);
            self.add_file(&path)?;
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
        values.iter().for_each(|value| inputs.add(value));
        inputs.fingerprint()
    }

    #[test]
    fn recipe_content_and_boundaries_change_the_fingerprint() {
        let base = fingerprint("r", &["a", "b"]);
        assert_eq!(fingerprint("r", &["a", "b"]), base);
        assert_ne!(fingerprint("s", &["a", "b"]), base);
        assert_ne!(fingerprint("r", &["a", "c"]), base);
        assert_ne!(fingerprint("r", &["ab"]), base);
    }
}
