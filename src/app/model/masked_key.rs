//! A key as it may be shown on the screen.

/// What our keys begin with, before an id that is not secret.
const OURS: &str = "lwk_";

/// How many characters are shown of the id of a key.
const SHOWN: usize = 4;

/// Returns the beginning of a key, enough to tell it from others. Of a key with a secret only, shows nothing.
pub fn masked(key: &str) -> String {
    let id = key.strip_prefix(OURS).and_then(|rest| rest.split_once('_'));
    match id {
        Some((id, _)) => {
            let shown: String = id.chars().take(SHOWN).collect();
            [OURS, &shown, "…"].concat()
        }
        None => "••••••••".to_owned(),
    }
}
