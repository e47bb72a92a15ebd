//! Finds the upstream's key in a response, as plain text and in the usual encodings. Some servers
//! show the headers of a request on their error pages. Pure functions.

use memchr::memmem::Finder;
use percent_encoding::percent_decode;

/// Shorter keys are not searched for: any response could contain them by chance.
const MIN_KEY_BYTES: usize = 8;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The byte strings that reveal a key.
#[derive(Clone)]
pub(super) struct KeyForms(Vec<Finder<'static>>);

impl KeyForms {
    pub(super) fn new(key: &str) -> Self {
        if key.len() < MIN_KEY_BYTES {
            return Self(Vec::new());
        }
        let mut forms = vec![key.as_bytes().to_vec()];
        for before in 0..3 {
            let form = base64(key.as_bytes(), before);
            let url_safe = form.iter().map(|byte| match byte {
                b'+' => b'-',
                b'/' => b'_',
                other => *other,
            });
            forms.push(url_safe.collect());
            forms.push(form);
        }
        forms.dedup();
        let finders = forms.iter().map(|form| Finder::new(form).into_owned());
        Self(finders.collect())
    }

    /// Returns whether a text contains the key.
    pub(super) fn occur_in(&self, text: &[u8]) -> bool {
        self.occur_unencoded_in(text)
            || text.contains(&b'%')
                && self.occur_unencoded_in(&percent_decode(text).collect::<Vec<u8>>())
            || text.contains(&b'\\') && self.occur_unencoded_in(&unescaped(text))
    }

    fn occur_unencoded_in(&self, text: &[u8]) -> bool {
        self.0.iter().any(|form| form.find(text).is_some())
    }
}

/// Returns the part of a Base64 text that depends only on the key, if `before` bytes (modulo 3)
/// precede the key in the encoded text.
fn base64(key: &[u8], before: usize) -> Vec<u8> {
    let bytes = [&[0; 2][..before], key].concat();
    let mut text = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for byte in &bytes {
        bits = bits << 8 | u32::from(*byte);
        count += 8;
        while count >= 6 {
            count -= 6;
            text.push(BASE64[(bits >> count & 63) as usize]);
        }
    }
    // Drop the characters that also depend on the bytes before. The last, incomplete one was never
    // added.
    text.split_off((before * 8).div_ceil(6))
}

/// Decodes JSON escapes of ASCII characters. Others stay, because no key contains them.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        let (byte, length) = match (first, after) {
            (b'\\', [b'u', a, b, c, d, ..]) => match hex(&[*a, *b, *c, *d]) {
                Some(code @ 0..128) => (code as u8, 5),
                _ => (*first, 0),
            },
            (b'\\', [escaped @ (b'/' | b'"' | b'\\'), ..]) => (*escaped, 1),
            _ => (*first, 0),
        };
        plain.push(byte);
        rest = &rest[length..];
    }
    plain
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| {
        Some(number * 16 + char::from(*digit).to_digit(16)?)
    })
}

#[cfg(test)]
mod tests {
    use super::KeyForms;

    const KEY: &str = "up_5~/+secret.Key>?1";

    #[test]
    fn a_key_is_found_in_common_encodings() {
        let forms = KeyForms::new(KEY);
        for text in [
            KEY,
            "authorization: Bearer up_5~/+secret.Key>?1\r\n",
            "up_5%7E%2f%2Bsecret%2eKey%3E%3f1",
            r#"{"auth": "up_5~\/+secret.Key>?1"}"#,
            r#"{"auth": "up_5~\u002F\u002bsecret.Key\u003e?1"}"#,
            // Preceded by nothing, "a", "ab" and "Bearer "; the later ones followed by "x".
            "dXBfNX4vK3NlY3JldC5LZXk+PzE=",
            "YXVwXzV+LytzZWNyZXQuS2V5Pj8x",
            "YWJ1cF81fi8rc2VjcmV0LktleT4/MXg=",
            "YWJ1cF81fi8rc2VjcmV0LktleT4_MXg",
            "QmVhcmVyIHVwXzV-LytzZWNyZXQuS2V5Pj8xeA",
        ] {
            assert!(forms.occur_in(text.as_bytes()), "{text}");
        }
        let body = [&[b'x'; 100_000], KEY.as_bytes(), &[b'y'; 100_000]].concat();
        assert!(forms.occur_in(&body));
    }

    #[test]
    fn other_texts_do_not_match_the_key() {
        let forms = KeyForms::new(KEY);
        for text in [
            "",
            "up_5~/+secret.Key>?",
            "100 % sure",
            "%",
            "%4",
            "\\",
            r"\u00",
            r"\u00zz",
        ] {
            assert!(!forms.occur_in(text.as_bytes()), "{text}");
        }
        assert!(!KeyForms::new("short").occur_in(b"a short answer"));
    }
}
