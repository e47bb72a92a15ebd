//! The host check.

use std::net::IpAddr;

/// Host names under which the service may be addressed. This stops DNS rebinding: a page elsewhere
/// can point its own name at 127.0.0.1 and become same-origin, but its requests have that name in
/// the Host header.
#[derive(Clone, Debug)]
pub(super) struct AllowedHosts {
    names: Vec<String>,
    any_address: bool,
}

impl AllowedHosts {
    pub(super) fn new(names: &[String], any_address: bool) -> Self {
        Self {
            names: names
                .iter()
                .filter(|name| !name.is_empty())
                .map(|name| name.to_ascii_lowercase())
                .collect(),
            any_address,
        }
    }

    /// Returns whether a Host header names this service.
    pub(super) fn contains(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return address.is_loopback() || self.any_address;
        }
        name == "localhost" || name.ends_with(".localhost") || self.names.contains(&name)
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::AllowedHosts;

    #[test]
    fn only_listed_names_and_this_machine_are_allowed() {
        let hosts = AllowedHosts::new(&["Leads.example".into()], false);
        for host in [
            "localhost",
            "127.0.0.1:8787",
            "[::1]:80",
            "a.localhost",
            "leads.example:1",
        ] {
            assert!(hosts.contains(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "10.0.0.1",
            "localhost.evil.example",
            "[fe80::1]",
        ] {
            assert!(!hosts.contains(host), "{host}");
        }
        assert!(AllowedHosts::new(&[], true).contains("10.0.0.1:8787"));
        assert!(!AllowedHosts::new(&[], true).contains("evil.example"));
    }
}
