//! Generates the script that loads the lazily loaded parts of a module, from the plan in the splitter's own script.
//!
//! Every file appears as `new URL("./file", import.meta.url)`, which bundlers recognize and follow. The splitter's
//! own script uses streaming compilation, which fails if the server does not send the Wasm MIME type.

use anyhow::{Context, Result, bail};

/// The part of the script that does not depend on the plan.
const RUNTIME: &str = include_str!("parts.js");

/// Prefix of the functions that the module imports to load a part.
const IMPORTED: &str = "__wasm_split_load_";

/// A lazily loaded piece of code, as listed in the splitter's script.
#[derive(PartialEq, Eq, Debug)]
struct Code {
    /// The splitter's name for it. For a part, this is the name that the module imports.
    name: String,
    /// True for a part, false for a chunk shared by several parts.
    is_part: bool,
    /// The stem of its file. None for a part whose code is entirely in shared chunks.
    stem: Option<String>,
    /// The names of the pieces that must be loaded first.
    needs: Vec<String>,
}

/// All lazily loaded code of a module.
pub struct Plan(Vec<Code>);

/// The files on disk: large ones separate, small ones concatenated into one pack.
#[derive(Default)]
pub struct Files {
    /// The stem and length in bytes of each piece in the pack, in order.
    pub pieces: Vec<(String, usize)>,
    /// The name of the pack file.
    pub pack: String,
    /// The stem and the file name of every separate file.
    pub whole: Vec<(String, String)>,
}

/// How the script names files.
#[derive(Clone, Copy)]
pub struct Addresses {
    /// The script that exports the module's `initSync`.
    pub glue: &'static str,
    /// Whether each URL is passed through the npm package's `asset` function.
    pub through_asset: bool,
}

impl Plan {
    /// Parses the splitter's script.
    pub fn read(script: &str) -> Result<Self> {
        let script = script.replace("\nexport const ", "\nconst ");
        let mut codes = Vec::new();
        for statement in script.split("\nconst ") {
            let named = statement.split_once(" = ").filter(|(_, value)| {
                let mut calls = ["makeLoad(", "wrapAsyncCb("].iter();
                calls.any(|call| value.starts_with(call))
            });
            if let Some((name, value)) = named {
                codes.push(Code::read(name, value)?);
            }
        }
        if !codes.iter().any(|code| code.is_part) {
            bail!("the splitter's script contains no parts");
        }
        Ok(Self(codes))
    }

    /// Returns the text of the loader script.
    pub fn script(&self, files: &Files, addresses: Addresses) -> Result<String> {
        let mut text = format!("import {{ initSync }} from \"{}\";\n", addresses.glue);
        if addresses.through_asset {
            text += "import { asset } from \"./asset.js\";\n";
        }
        text += "const sources = [\n";
        if !files.pieces.is_empty() {
            let lengths = list(files.pieces.iter().map(|(_, length)| *length));
            let address = addresses.of(&files.pack);
            text += &format!("  ...pieces({address}, {lengths}),\n");
        }
        for (_, file) in &files.whole {
            text += &format!("  whole({}),\n", addresses.of(file));
        }
        text += "];\n";
        text += RUNTIME;
        for code in self.0.iter().filter(|code| code.is_part) {
            text += &self.export(code, files)?;
        }
        Ok(text)
    }

    /// Returns the export line of a part.
    fn export(&self, code: &Code, files: &Files) -> Result<String> {
        let needs = code
            .needs
            .iter()
            .map(|name| {
                let need = self.0.iter().find(|code| code.name == *name);
                let stem = need.and_then(|code| code.stem.as_deref());
                files.place(stem.with_context(|| format!("the splitter did not list {name}"))?)
            })
            .collect::<Result<Vec<usize>>>()?;
        let own = match &code.stem {
            Some(stem) => format!(", {}", files.place(stem)?),
            None => String::new(),
        };
        let (name, needs) = (&code.name, list(needs));
        Ok(format!("export const {name} = part([{needs}]{own});\n"))
    }
}

impl Code {
    fn read(name: &str, value: &str) -> Result<Self> {
        let stem = between(value, "new URL(\"./", ".wasm\"").map(str::to_owned);
        let needs = value
            .rsplit_once('[')
            .and_then(|(_, rest)| rest.split_once(']'))
            .with_context(|| {
                format!("the splitter's script does not list the dependencies of {name}")
            })?
            .0;
        let needs = needs.split(", ").filter(|need| !need.is_empty());
        Ok(Self {
            name: name.to_owned(),
            is_part: name.starts_with(IMPORTED),
            stem,
            needs: needs.map(str::to_owned).collect(),
        })
    }
}

impl Files {
    /// Returns the index of a file or piece in the script's `sources` list.
    fn place(&self, stem: &str) -> Result<usize> {
        let pieces = self.pieces.iter().map(|(stem, _)| stem);
        pieces
            .chain(self.whole.iter().map(|(stem, _)| stem))
            .position(|known| known == stem)
            .with_context(|| format!("the splitter did not write {stem}.wasm"))
    }
}

impl Addresses {
    /// Returns a JavaScript function that returns the URL of a file.
    fn of(self, file: &str) -> String {
        let url = format!("new URL(\"./{file}\", import.meta.url)");
        if self.through_asset {
            format!("() => asset({url})")
        } else {
            format!("() => {url}")
        }
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

fn list(numbers: impl IntoIterator<Item = usize>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|n| n.to_string()).collect();
    numbers.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Addresses, Files, Plan};

    /// In the format that the splitter writes.
    const SCRIPT: &str = r#"import { initSync } from "./app.js";

let sharedImports = undefined;
function makeLoad(fetcher, deps) {
    const loader = async () => {};
}
/* a, b */
const __chunk_3 = makeLoad(() => {
    const src = fetch(new URL("./chunk_3.wasm", import.meta.url));
    src.catch(() => {});
    return async (imports) => (WebAssembly.instantiateStreaming(src, imports));
}
, []);
/* a, b, c */
const __chunk_7 = makeLoad(() => {
    const src = fetch(new URL("./chunk_7.wasm", import.meta.url));
    src.catch(() => {});
    return async (imports) => (WebAssembly.instantiateStreaming(src, imports));
}
, []);
export const __wasm_split_load_b = wrapAsyncCb(makeLoad(() => {
    const src = fetch(new URL("./split_b.wasm", import.meta.url));
    src.catch(() => {});
    return async (imports) => (WebAssembly.instantiateStreaming(src, imports));
}
, [__chunk_3, __chunk_7]));
export const __wasm_split_load_a = wrapAsyncCb(makeLoad(() => async (_imp) => ({}), [__chunk_7]));
"#;

    fn files() -> Files {
        Files {
            pieces: vec![("chunk_7".to_owned(), 12), ("split_b".to_owned(), 5)],
            pack: "chunks-1.bin".to_owned(),
            whole: vec![("chunk_3".to_owned(), "chunk_3-1.wasm".to_owned())],
        }
    }

    #[test]
    fn parts_and_their_dependencies_are_read() {
        let plan = Plan::read(SCRIPT).expect("a script of the splitter");
        let found: Vec<_> = plan
            .0
            .iter()
            .map(|code| (&*code.name, code.is_part, code.stem.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                ("__chunk_3", false, Some("chunk_3")),
                ("__chunk_7", false, Some("chunk_7")),
                ("__wasm_split_load_b", true, Some("split_b")),
                ("__wasm_split_load_a", true, None),
            ]
        );
        assert_eq!(plan.0[2].needs, ["__chunk_3", "__chunk_7"]);
        assert!(Plan::read("import { initSync } from \"./app.js\";\n").is_err());
    }

    #[test]
    fn every_file_is_listed_once_for_bundlers() {
        let plan = Plan::read(SCRIPT).expect("a script of the splitter");
        let addresses = Addresses {
            glue: "./app.js",
            through_asset: true,
        };
        let text = plan.script(&files(), addresses).expect("all files known");
        for file in ["chunks-1.bin", "chunk_3-1.wasm"] {
            let url = format!("() => asset(new URL(\"./{file}\", import.meta.url))");
            assert_eq!(text.matches(&url).count(), 1, "{file}");
        }
        assert!(text.contains("import.meta.url)), 12, 5),"), "{text}");
        assert!(text.contains("export const __wasm_split_load_b = part([2, 0], 1);\n"));
        assert!(text.contains("export const __wasm_split_load_a = part([0]);\n"));
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let plan = Plan::read(SCRIPT).expect("a script of the splitter");
        let addresses = Addresses {
            glue: "./app.js",
            through_asset: false,
        };
        assert!(plan.script(&Files::default(), addresses).is_err());
    }
}
