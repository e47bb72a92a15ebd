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
    pub answer: TestOutcome,
    /// Address of the workspace; empty for this server.
    pub base: &'a str,
    /// Whether this page was loaded over https.
    pub secure: bool,
    /// Whether the browser is online.
    pub online: bool,
    /// Whether the address answers a request that needs no CORS permission.
    pub reachable: bool,
    /// Whether the Content-Security-Policy of this page blocked the request.
    pub blocked: bool,
}

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
    match seen.answer {
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
            Self::Limited => "The workspace asks to wait",
            Self::Broken(_) => "The server has trouble",
            Self::Slow => "The server does not answer in time",
            Self::Offline => "This computer is offline",
            Self::Insecure => "The browser blocks this address",
            Self::Blocked => "This page may not connect to this address",
            Self::Cors => "The server does not let this page in",
            Self::Unreachable { .. } => "Nothing answers at this address",
        }
    }

    /// Returns what to do. `here` is the origin of this page.
    pub fn remedy(self, here: &str) -> String {
        let text = match self {
            Self::Connected(_) => "Address and key fit.",
            Self::WrongKey => {
                "The address is right. Copy the key again, whole; it may have been revoked, or belong to another workspace."
            }
            Self::Forbidden => {
                "The server knows this key. Use another key, ask your admin, or correct the workspace id."
            }
            Self::NoWorkspace => {
                "Something answers, but not as a workspace does. Look for a slip in the address; it ends where /api begins."
            }
            Self::Limited => {
                "Address and key fit. It had too many requests: try again in a minute."
            }
            Self::Broken(status) => {
                return [
                    "It answers with ",
                    &*status.to_string(),
                    ". Try again in a moment; if it stays, tell who runs the server.",
                ]
                .concat();
            }
            Self::Slow => "Try again; if it stays, tell who runs the server.",
            Self::Offline => "Connect it to the network, and test again.",
            Self::Insecure => {
                "A page over https may not send a key to an address that begins with http:, where others could read it. Use the https address."
            }
            Self::Blocked => {
                "Nothing was sent. The server of this page has to allow the address first (lead-workspace serve --allow-connect ADDRESS)."
            }
            Self::Cors => {
                return [
                    "It answers, but not to pages of ",
                    here,
                    ". Whoever runs it has to allow this origin (lead-workspace serve --allow-origin ",
                    here,
                    ").",
                ]
                .concat();
            }
            Self::Unreachable { certificate: true } => {
                "Look for a slip in the address. Open it in a tab of its own: if the browser warns of the certificate, that is what keeps it out."
            }
            Self::Unreachable { certificate: false } => {
                "Look for a slip in the address and its port, and whether the server runs."
            }
        };
        text.to_owned()
    }
}
