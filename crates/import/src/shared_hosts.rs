//! Hosts shared by many companies: a website there identifies the host, not the company.

/// Sorted. A host includes its subdomains: `linkedin.com` includes `de.linkedin.com`.
const SHARED: [&str; 78] = [
    "about.me",
    "airbnb.com",
    "allegro.pl",
    "amazon.co.uk",
    "amazon.com",
    "amazon.de",
    "apps.apple.com",
    "behance.net",
    "bio.link",
    "bit.ly",
    "blogspot.com",
    "booking.com",
    "business.site",
    "calendly.com",
    "canva.site",
    "carrd.co",
    "crunchbase.com",
    "discord.gg",
    "dribbble.com",
    "dropbox.com",
    "ebay.com",
    "etsy.com",
    "eventbrite.com",
    "facebook.com",
    "fb.com",
    "fb.me",
    "firebaseapp.com",
    "fiverr.com",
    "forms.gle",
    "g.page",
    "github.com",
    "github.io",
    "gitlab.com",
    "gitlab.io",
    "glassdoor.com",
    "godaddysites.com",
    "goo.gl",
    "google.com",
    "herokuapp.com",
    "indeed.com",
    "instagram.com",
    "jimdofree.com",
    "jimdosite.com",
    "kununu.com",
    "linkedin.com",
    "linktr.ee",
    "lnkd.in",
    "medium.com",
    "meetup.com",
    "myshopify.com",
    "netlify.app",
    "notion.site",
    "notion.so",
    "pages.dev",
    "patreon.com",
    "pinterest.com",
    "sharepoint.com",
    "soundcloud.com",
    "squarespace.com",
    "substack.com",
    "t.me",
    "threads.com",
    "threads.net",
    "tiktok.com",
    "trustpilot.com",
    "tumblr.com",
    "twitter.com",
    "vercel.app",
    "vimeo.com",
    "wa.me",
    "web.app",
    "weebly.com",
    "wixsite.com",
    "wordpress.com",
    "x.com",
    "xing.com",
    "yelp.com",
    "youtube.com",
];

/// Returns whether a host, or one of its parent domains, is shared by many companies.
pub(super) fn is_shared(host: &str) -> bool {
    let mut rest = host;
    loop {
        if SHARED.binary_search(&rest).is_ok() {
            return true;
        }
        match rest.split_once('.') {
            Some((_, above)) => rest = above,
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SHARED, is_shared};

    #[test]
    fn shared_hosts_include_their_subdomains() {
        assert!(SHARED.is_sorted());
        for host in [
            "facebook.com",
            "m.facebook.com",
            "sites.google.com",
            "acme.github.io",
            "x.com",
        ] {
            assert!(is_shared(host), "{host}");
        }
        for host in ["acme.example", "netflix.com", "notfacebook.com", "com", ""] {
            assert!(!is_shared(host), "{host}");
        }
    }
}
