//! The steps of `cargo xtask test`, in the order they run: the fastest first.

use std::fmt;

use anyhow::Result;
use clap::ValueEnum;

use super::count::Count;
use super::{e2e, faults, js, native, package, web};
use crate::generate;

/// One step of `cargo xtask test`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Step {
    /// rustfmt over the workspace.
    Fmt,
    /// Clippy over the workspace, warnings are errors.
    Clippy,
    /// The generated files against the contract.
    Generated,
    /// Unit, integration and doc tests.
    Native,
    /// The modules of the npm package and the statistics of the benchmark, in Node.
    Js,
    /// The types of the npm package.
    Types,
    /// Clippy over the browser crate, with and without the UI.
    ClippyWasm,
    /// The tests that run in headless Chromium.
    Web,
    /// The release builds of the UI and the npm package against their budgets.
    Size,
    /// The service and the UI together, in Chromium.
    E2e,
    /// All end-to-end tests through a gateway. Runs only if named: it takes minutes, and `e2e`
    /// covers the most important part.
    Gateway,
    /// The npm package in every bundler, in Node and in Chromium.
    Package,
    /// The client against network and server faults.
    Faults,
    /// The documentation, warnings are errors.
    Docs,
}

impl Step {
    pub const ALL: [Self; 14] = [
        Self::Fmt,
        Self::Clippy,
        Self::Generated,
        Self::Native,
        Self::Js,
        Self::Types,
        Self::ClippyWasm,
        Self::Web,
        Self::Size,
        Self::E2e,
        Self::Gateway,
        Self::Package,
        Self::Faults,
        Self::Docs,
    ];

    /// Returns whether the step runs without a browser and without the Wasm toolchain.
    pub fn is_quick(self) -> bool {
        matches!(
            self,
            Self::Fmt | Self::Clippy | Self::Generated | Self::Native
        )
    }

    /// Returns whether the step runs by default.
    pub fn is_usual(self) -> bool {
        self != Self::Gateway
    }

    /// Runs the step. The caller counts an error as one failure.
    pub fn run(self) -> Result<Count> {
        match self {
            Self::Fmt => native::fmt(),
            Self::Clippy => native::clippy(),
            Self::Generated => Ok(if generate::outdated()?.is_empty() {
                Count::PASSED
            } else {
                Count::FAILED
            }),
            Self::Native => native::tests(),
            Self::Js => js::tests(),
            Self::Types => js::types(),
            Self::ClippyWasm => web::clippy(),
            Self::Web => web::tests(),
            Self::Size => web::size(),
            Self::E2e => e2e::tests(),
            Self::Gateway => e2e::through_a_gateway(),
            Self::Package => package::tests(),
            Self::Faults => faults::tests(),
            Self::Docs => native::docs(),
        }
    }
}

/// The name that `--only` takes.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}
