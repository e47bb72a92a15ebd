//! Why a workspace cannot be reached, and what to do about it. [`diagnose`] is a table from
//! observations to causes.

/// Result of a connection test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// A page of leads, with their total number.
    Leads(u64),
    /// A status that is not a success.
    Status(u16),
    /// A response that no workspace sends: a web page, another format or a redirect.
    Strange,
    /// A timeout.
    Slow,
    /// No response. The browser does not report why.
    Nothing,
}

/// What the test observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestObservation<'a> {
    pub outcome: TestOutcome,
    /// Address of the workspace; empty for this server.
    pub base: &'a str,
    /// Whether this page was loaded over https.
    pub secure: bool,
    /// Whether the browser is online.
    pub online: bool,
    /// Whether the address responds to a request that needs no CORS permission.
    pub reachable: bool,
    /// Whether the Content-Security-Policy of this page blocked the request.
    pub blocked: bool,
}

/// What happened if the page's Content-Security-Policy forbids an address.
pub const FORBIDDEN: &str = "This page may not connect to this address";

/// What to do about it.
pub const FORBIDDEN_REMEDY: &str = "Nothing was sent. The Content-Security-Policy of this page must allow the address first (lead-workspace serve --allow-connect ADDRESS).";

/// What the observations mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// The connection works; the workspace has this many leads.
    Connected(u64),
    /// The key is not accepted.
    WrongKey,
    /// The key may not read leads, or the workspace id is not the key's.
    Forbidden,
    /// The address responds, but is not a workspace.
    NoWorkspace,
    /// Rate limited.
    Limited,
    /// The server fails with this status.
    Broken(u16),
    Slow,
    Offline,
    /// A page over https may not send requests to an http address.
    Insecure,
    /// The server of this page does not allow connections to the address.
    Blocked,
    /// The server responds, but does not allow this page's origin.
    Cors,
    /// Nothing responds. Over https the reason may be the certificate.
    Unreachable {
        /// Whether the address is https.
        certificate: bool,
    },
}

/// Returns the cause for an observation.
pub fn diagnose(seen: &TestObservation<'_>) -> Diagnosis {
    let foreign = !seen.base.is_empty();
    let (plain, local) = (seen.base.starts_with("http://"), is_local(seen.base));
    match seen.outcome {
        TestOutcome::Leads(total) => Diagnosis::Connected(total),
        TestOutcome::Status(401) => Diagnosis::WrongKey,
        TestOutcome::Status(403) => Diagnosis::Forbidden,
        TestOutcome::Status(429) => Diagnosis::Limited,
        TestOutcome::Status(status @ 500..) => Diagnosis::Broken(status),
        TestOutcome::Status(_) | TestOutcome::Strange => Diagnosis::NoWorkspace,
        TestOutcome::Nothing if seen.blocked => Diagnosis::Blocked,
        TestOutcome::Slow | TestOutcome::Nothing if !seen.online && !local => Diagnosis::Offline,
        TestOutcome::Slow => Diagnosis::Slow,
        TestOutcome::Nothing if seen.secure && plain && !local => Diagnosis::Insecure,
        TestOutcome::Nothing if foreign && seen.reachable => Diagnosis::Cors,
        TestOutcome::Nothing => Diagnosis::Unreachable {
            certificate: seen.base.starts_with("https://"),
        },
    }
}

/// Whether the address is this computer, which is reachable offline, too.
fn is_local(base: &str) -> bool {
    let host = base.split_once("://").map_or("", |(_, rest)| rest);
    let host = host.split(['/', ':']).next().unwrap_or_default();
    host == "localhost" || host.starts_with("127.") || host == "["
}

impl Diagnosis {
    pub fn is_well(self) -> bool {
        matches!(self, Self::Connected(_))
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Connected(_) => "Connected",
            Self::WrongKey => "The key is not accepted",
            Self::Forbidden => "The key may not read this workspace",
            Self::NoWorkspace => "There is no workspace at this address",
            Self::Limited => "Too many requests",
            Self::Broken(_) => "The server reports an error",
            Self::Slow => "The server did not respond in time",
            Self::Offline => "This computer is offline",
            Self::Insecure => "The browser blocks this address",
            Self::Blocked => FORBIDDEN,
            Self::Cors => "The server does not allow this page",
            Self::Unreachable { .. } => "Nothing responds at this address",
        }
    }

    /// Returns what to do. `here` is the origin of this page.
    pub fn remedy(self, here: &str) -> String {
        let text = match self {
            Self::Connected(_) => "The address and the key are correct.",
            Self::WrongKey => {
                "The address is right. Copy the key again in full. It may be revoked or belong to another workspace."
            }
            Self::Forbidden => {
                "The key is valid, but has no access here. Use another key, ask your admin, or correct the workspace id."
            }
            Self::NoWorkspace => {
                "The server responds, but it is not a workspace. Check the address, and leave out /api and everything after it."
            }
            Self::Limited => "The workspace limits the request rate. Try again in a minute.",
            Self::Broken(status) => {
                return [
                    "It responds with status ",
                    &*status.to_string(),
                    ". Try again in a moment. If this persists, tell the server administrator.",
                ]
                .concat();
            }
            Self::Slow => "Try again. If this persists, tell the server administrator.",
            Self::Offline => "Connect to the network, then test again.",
            Self::Insecure => {
                "An https page must not send a key over http, where others could read it. Use the https address."
            }
            Self::Blocked => FORBIDDEN_REMEDY,
            Self::Cors => {
                return [
                    "The server responds, but blocks pages from ",
                    here,
                    ". Its administrator must allow this origin (lead-workspace serve --allow-origin ",
                    here,
                    ").",
                ]
                .concat();
            }
            Self::Unreachable { certificate: true } => {
                "Check the address. Open it in a new tab: if the browser shows a certificate warning, the certificate is the cause."
            }
            Self::Unreachable { certificate: false } => {
                "Check the address, the port and whether the server runs."
            }
        };
        text.to_owned()
    }
}
