//! The steps of `cargo xtask test`.

use clap::ValueEnum;

/// The steps in the order they run: the fastest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub(super) enum Step {
    /// rustfmt over the workspace.
    Fmt,
    /// Clippy over the workspace while it compiles the native tests, warnings are errors.
    Clippy,
    /// The generated files against the contract.
    Generated,
    /// Licenses and sources of the packages from crates.io and npm.
    Dependencies,
    /// The native tests that start no service. With `--quick` or if named: `native` has them, too.
    Unit,
    /// Unit, integration and doc tests.
    Native,
    /// The tests of the service, on PostgreSQL instead of a data folder.
    Postgres,
    /// The same tests on PostgreSQL with the extension Citus, on several servers. Runs only if named: it needs the extension,
    /// or its source in the archive that CITUS_SOURCE names.
    Citus,
    /// The modules of the npm package and the statistics of the benchmark, in Node.
    Js,
    /// The types of the npm package.
    Types,
    /// The tests that run in headless Chromium, compiled with Clippy.
    Web,
    /// The service and the UI together, in Chromium.
    E2e,
    /// All end-to-end tests through a gateway. Runs only if named: it takes minutes, and `e2e`
    /// covers the most important part.
    Gateway,
    /// The release builds of the UI and the npm package against their budgets.
    Size,
    /// The npm package in every bundler, in Node and in Chromium.
    Package,
    /// The npm package in frameworks and other runtimes. Runs only if named: it takes minutes and downloads 850 MB.
    Platforms,
    /// The screen and the npm package in Firefox and WebKit, and the tests of `web` in Firefox. Runs only if named: it
    /// takes minutes and installs the browsers.
    Browsers,
    /// The Debian package of the service: built, installed in a folder and started. Runs only if named: it needs dpkg.
    Deb,
    /// The bindings in their frameworks, in Node and in Chromium.
    Bindings,
    /// Generated requests against the running service, by its OpenAPI document. `cargo xtask soak fuzz` sends more.
    Api,
    /// Known vulnerabilities of the packages from crates.io and npm. Runs only if named: it needs the databases of
    /// RustSec and npm, which a mirror of a registry may not have.
    Advisories,
    /// The client against network and server faults.
    Faults,
    /// The documentation, warnings are errors.
    Docs,
}

impl Step {
    pub(super) fn uses_browser(self) -> bool {
        matches!(
            self,
            Self::Web
                | Self::E2e
                | Self::Gateway
                | Self::Package
                | Self::Platforms
                | Self::Bindings
                | Self::Faults
        )
    }

    pub(super) fn uses_postgres(self) -> bool {
        matches!(
            self,
            Self::Native | Self::Postgres | Self::Citus | Self::E2e
        )
    }

    /// The name that `--only` takes.
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
