//! The script that loads the parts of a module: what the splitter says of them, written down shorter, and for
//! whoever moves files about.
//!
//! Every file stands there as `new URL("./file", import.meta.url)`, which bundlers know and follow. The
//! splitter's own script would stream what only a server can that calls Wasm by its name.

use anyhow::{Context, Result, bail};

/// What the script does, whichever parts there are.
const RUNTIME: &str = include_str!("parts.js");

/// What the names of the functions begin with by which the module asks for a part.
const IMPORTED: &str = "__wasm_split_load_";

/// A piece of code that comes later, as the splitter's script has it.
#[derive(PartialEq, Eq, Debug)]
struct Code {
    /// What the splitter calls it. Of a part, that is what the module imports.
    name: String,
    /// Whether it is a part, and not what some parts share.
    is_part: bool,
    /// The stem of its file. A part all of whose code is shared has none.
    stem: Option<String>,
    /// What has to be there before, by name.
    needs: Vec<String>,
}

/// Everything that comes later.
pub struct Plan(Vec<Code>);

/// The files as they are: some of their own, the small ones one after the other in one.
#[derive(Default)]
pub struct Files {
    /// The stem of each piece with its length, in order.
    pub pieces: Vec<(String, usize)>,
    /// The name of the file that holds the pieces.
    pub pack: String,
    /// The stem of every other one, with the name of its file.
    pub whole: Vec<(String, String)>,
}

/// How a script of a module says where a file is.
#[derive(Clone, Copy)]
pub struct Addresses {
    /// The script that has the module's `initSync`.
    pub glue: &'static str,
    /// Whether each goes through the npm package's `asset`.
    pub through_asset: bool,
}

impl Plan {
    /// Reads the splitter's script.
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
            bail!("the splitter's script has no part");
        }
        Ok(Self(codes))
    }

    /// The script.
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

    /// The line of a part.
    fn export(&self, code: &Code, files: &Files) -> Result<String> {
        let needs = code
            .needs
            .iter()
            .map(|name| {
                let need = self.0.iter().find(|code| code.name == *name);
                let stem = need.and_then(|code| code.stem.as_deref());
                files.place(stem.with_context(|| format!("nothing is called {name}"))?)
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
            .with_context(|| format!("the splitter's script does not say what {name} needs"))?
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
    /// Where in the script's list a file or a piece is.
    fn place(&self, stem: &str) -> Result<usize> {
        let pieces = self.pieces.iter().map(|(stem, _)| stem);
        pieces
            .chain(self.whole.iter().map(|(stem, _)| stem))
            .position(|known| known == stem)
            .with_context(|| format!("the splitter wrote no {stem}.wasm"))
    }
}

impl Addresses {
    /// A function that gives the address of a file.
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

    /// As the splitter writes it.
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
    fn the_parts_and_what_they_need_are_read() {
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
    fn every_file_is_named_once_and_for_bundlers() {
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
    fn a_file_that_is_not_there_is_refused() {
        let plan = Plan::read(SCRIPT).expect("a script of the splitter");
        let addresses = Addresses {
            glue: "./app.js",
            through_asset: false,
        };
        assert!(plan.script(&Files::default(), addresses).is_err());
    }
}
