//! Normalizes values from different tools.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, fmt};
use lead_workspace_logic::{clean, iso};

use super::dates::{self, DateOrder};
use super::shared_hosts::is_shared;

/// A web address: the form to open, and the form to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// Includes a scheme.
    pub url: String,
    /// Without scheme, `www.`, query, fragment and trailing slash; the host in lower case.
    pub identity: String,
}

/// Parses a web address. Returns `None` for anything but `http` and `https`.
pub(crate) fn address(text: &str) -> Option<Address> {
    let text = &*clean(text);
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => ("https".into(), text),
    };
    if !matches!(scheme.as_str(), "http" | "https") || rest.contains(char::is_whitespace) {
        return None;
    }
    let url = format!("{scheme}://{rest}");
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let named = host.split('.').all(|label| !label.is_empty()) && host.contains('.');
    if !named || host.contains('@') {
        return None;
    }
    let path = path.trim_end_matches('/');
    let identity = match path {
        "" => host.to_owned(),
        path => format!("{}/{path}", without_country(host)),
    };
    Some(Address { url, identity })
}

/// Removes the country from a host: the professional network serves the same profile under each.
fn without_country(host: &str) -> &str {
    match host.split_once('.') {
        Some((country, rest)) if country.len() == 2 && rest == "linkedin.com" => rest,
        _ => host,
    }
}

/// Returns the domain of a website: its host in lower case, without `www.`. `None` for a page on a
/// host that companies share, because all of them would have the same domain.
pub(crate) fn domain(text: &str) -> Option<String> {
    let address = address(text)?;
    let host = address.identity.split(['/', ':']).next()?;
    let is_page = address
        .url
        .split_once("://")?
        .1
        .trim_end_matches('/')
        .contains(['/', '?', '#']);
    (!is_page || !is_shared(host)).then(|| host.to_owned())
}

/// Normalizes an e-mail address: lower case, without `mailto:` or a display name.
pub(crate) fn email(text: &str) -> Option<String> {
    let text = &*clean(text);
    let text = text.strip_prefix("mailto:").unwrap_or(text);
    let text = match (text.find('<'), text.strip_suffix('>')) {
        (Some(start), Some(text)) => &text[start + 1..],
        _ => text,
    };
    let (user, host) = text.rsplit_once('@')?;
    let plain = !user.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == ',');
    (plain && host.contains('.')).then(|| text.to_lowercase())
}

/// Parses a count: `1,234`, `500+`, `1.234`, `12 345`, `12,34,567`, `500.00`. Returns `None` for one with a fraction.
pub(crate) fn count(text: &str) -> Option<i64> {
    let text = whole(text.trim().trim_end_matches('+').trim_end());
    let separators = [',', '.', '\'', '’', ' ', '\u{a0}', '\u{202f}'];
    let groups: Vec<&str> = text.split(separators).collect();
    let is_grouped = match &*groups {
        [first, inner @ .., last] => {
            let inner_fit = inner.iter().all(|group| matches!(group.len(), 2 | 3));
            first.len() <= 3 && inner_fit && last.len() == 3
        }
        _ => true,
    };
    let is_number = |group: &&str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    let is_count = is_grouped && groups.iter().all(is_number);
    is_count.then(|| groups.concat().parse().ok())?
}

/// Removes decimals that are all zeros, as in `500.00`. Three zeros belong to a thousand.
fn whole(text: &str) -> &str {
    let is_zero = |decimals: &str| {
        !matches!(decimals.len(), 0 | 3) && decimals.bytes().all(|byte| byte == b'0')
    };
    match text.rsplit_once(['.', ',']) {
        Some((whole, decimals)) if is_zero(decimals) => whole,
        _ => text,
    }
}

/// Parses a yes/no value in several languages.
pub(crate) fn flag(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "y" | "1" | "x" | "premium" | "ja" | "oui" | "si" | "sí" => Some(true),
        "false" | "no" | "n" | "0" | "nein" | "non" => Some(false),
        _ => None,
    }
}

/// Parses a founding year, alone or from a whole date. Allows 1000 to 2200.
pub(crate) fn year(text: &str) -> Option<i64> {
    let text = text.trim();
    let year = match (date_time(text, None), dates::year(text)) {
        (Some(time), _) => time.get(..4)?.parse().ok()?,
        (None, Some(year)) => year,
        (None, None) => whole(text).parse().ok()?,
    };
    (1000..=2200).contains(&year).then_some(year)
}

/// Parses a time into the stored form. A time without a zone is taken as UTC. Formats in which day
/// and month could be confused are read only in this order, if there is one.
pub(crate) fn date_time(text: &str, order: Option<DateOrder>) -> Option<String> {
    let text = text.trim();
    let civil = |time: DateTime| {
        time.to_zoned(TimeZone::UTC)
            .ok()
            .map(|time| time.timestamp())
    };
    let midnight = |date: Date| civil(date.to_datetime(Time::midnight()));
    let time = text
        .parse::<Timestamp>()
        .ok()
        .or_else(|| civil(text.parse::<DateTime>().ok()?))
        .or_else(|| midnight(text.parse::<Date>().ok()?))
        .or_else(|| fmt::rfc2822::parse(text).ok().map(|time| time.timestamp()))
        .or_else(|| midnight(Date::strptime("%d %b %Y", text).ok()?));
    time.map(iso).or_else(|| dates::date_time(text, order))
}

/// Parses a decision; accepts common synonyms.
pub(crate) fn status(text: &str) -> Option<&'static str> {
    match text.trim().to_lowercase().replace([' ', '-'], "_").as_str() {
        "approved" | "accepted" | "approve" | "yes" | "true" | "qualified" => Some("approved"),
        "rejected" | "declined" | "reject" | "no" | "false" | "disqualified" | "unqualified" => {
            Some("rejected")
        }
        "filtered" | "filtered_out" | "excluded" => Some("filtered"),
        "pending" | "pending_approval" | "to_review" | "open" | "new" => Some("pending_approval"),
        _ => None,
    }
}

/// Splits a cell into names, at the first of `;`, `|` or newline that it contains, else at commas.
pub(crate) fn names(text: &str) -> Vec<String> {
    let separator = [';', '|', '\n']
        .into_iter()
        .find(|c| text.contains(*c))
        .unwrap_or(',');
    let names = text.split(separator).map(clean);
    names.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{address, count, date_time, domain, email, flag, names, status, year};

    #[test]
    fn equivalent_addresses_are_normalized_alike() {
        let same = [
            "https://profiles.example/in/ana",
            "http://www.Profiles.example/in/ana/",
            "profiles.example/in/ana?utm=1#top",
            " https://PROFILES.example/in/ana// ",
            "profiles.\u{200b}example/in/ana\u{200e}",
        ];
        for text in same {
            assert_eq!(
                address(text).unwrap().identity,
                "profiles.example/in/ana",
                "{text}"
            );
        }
        assert_eq!(
            address(same[2]).unwrap().url,
            "https://profiles.example/in/ana?utm=1#top"
        );
        assert_eq!(
            address("de.linkedin.com/in/x").unwrap().identity,
            "linkedin.com/in/x"
        );
        assert_ne!(address(same[0]), address("https://profiles.example/in/Ana"));
        for text in [
            "",
            "ana",
            "javascript:alert(1)",
            "ftp://a.example/x",
            "a b.example",
            "ana@b.example",
            ".example",
        ] {
            assert_eq!(address(text), None, "{text}");
        }
        assert_eq!(
            domain("HTTPS://www.Acme.example:8080/about").as_deref(),
            Some("acme.example")
        );
        assert_eq!(domain("facebook.com/").as_deref(), Some("facebook.com"));
        assert_eq!(domain("acme.github.io").as_deref(), Some("acme.github.io"));
        for page in [
            "https://www.facebook.com/acme",
            "https://m.facebook.com/profile.php?id=1",
            "facebook.com?id=1",
            "linktr.ee/acme",
            "https://sites.google.com/view/acme",
            "acme.wixsite.com/home",
        ] {
            assert_eq!(domain(page), None, "{page}");
        }
    }

    #[test]
    fn emails_are_normalized_to_plain_lower_case() {
        assert_eq!(
            email(" Ana.B@Acme.Example ").as_deref(),
            Some("ana.b@acme.example")
        );
        assert_eq!(
            email("Ana <ana@acme.example>").as_deref(),
            Some("ana@acme.example")
        );
        assert_eq!(
            email("mailto:\u{200b}ana@acme.example\u{feff}").as_deref(),
            Some("ana@acme.example")
        );
        for text in [
            "",
            "ana",
            "ana@",
            "@acme.example",
            "a@b.example, c@d.example",
        ] {
            assert_eq!(email(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_flags_and_years_are_read() {
        for (text, expected) in [
            ("500+", Some(500)),
            ("1,234", Some(1234)),
            ("12.0", Some(12)),
            ("500.00", Some(500)),
            ("1,234.00", Some(1234)),
            ("1.234,00", Some(1234)),
            ("12,34,567", Some(1_234_567)),
            ("1.000", Some(1000)),
            ("1 234 567", Some(1_234_567)),
            ("12.5", None),
            ("1,234.50", None),
            ("1,,234", None),
            ("-5", None),
            (".00", None),
            ("many", None),
            ("", None),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
        assert_eq!(
            (flag("Yes"), flag("0"), flag("maybe")),
            (Some(true), Some(false), None)
        );
        assert_eq!(
            ["1998", "1998-05-01", "5/1/1998", "1998.00", "98"].map(year),
            [Some(1998), Some(1998), Some(1998), Some(1998), None]
        );
    }

    #[test]
    fn only_unambiguous_times_are_read() {
        for (text, expected) in [
            ("2026-01-31", Some("2026-01-31T00:00:00.000Z")),
            ("2026-01-31 08:30", Some("2026-01-31T08:30:00.000Z")),
            (
                "2026-01-31T08:30:00+02:00",
                Some("2026-01-31T06:30:00.000Z"),
            ),
            ("31.01.2026", Some("2026-01-31T00:00:00.000Z")),
            ("31 Jan 2026", Some("2026-01-31T00:00:00.000Z")),
            ("1/2/2026", None),
            ("soon", None),
        ] {
            assert_eq!(date_time(text, None).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn words_and_lists_are_normalized() {
        assert_eq!(status("Approved"), Some("approved"));
        assert_eq!(status("Pending Approval"), Some("pending_approval"));
        assert_eq!(status("Working"), None);
        assert_eq!(names("a; b ;;c, d"), ["a", "b", "c, d"]);
        assert_eq!(names("a, b\u{200b}  c,\u{200b}"), ["a", "b c"]);
    }
}
