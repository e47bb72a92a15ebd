//! Knows whether a product is still what its inputs make: a fingerprint of the
//! inputs, kept beside the product.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use anyhow::{Context, Result};

/// Collects the inputs of one product.
pub struct Inputs(DefaultHasher);

impl Inputs {
    /// Starts with the source of the recipe itself, so that changing it redoes the product.
    pub fn of_recipe(source: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        source.hash(&mut hasher);
        Self(hasher)
    }

    /// Adds a value.
    pub fn add(&mut self, value: impl Hash) {
        value.hash(&mut self.0);
    }

    /// Adds a file's content.
    pub fn add_file(&mut self, path: &Path) -> Result<()> {
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        self.add(bytes);
        Ok(())
    }

    /// Adds a file, or every file below a folder, each with its name.
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

    /// The fingerprint of everything added.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", self.0.finish())
    }
}

/// Whether the product stamped at `stamp` was made from these inputs.
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
    fn recipe_content_and_boundaries_all_count() {
        let base = fingerprint("r", &["a", "b"]);
        assert_ne!(base, fingerprint("s", &["a", "b"]));
        assert_ne!(base, fingerprint("r", &["a", "c"]));
        assert_ne!(base, fingerprint("r", &["ab"]));
    }
}
