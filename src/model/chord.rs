//! A key with its modifiers: from an event, from text, and as it is shown.

/// What a keydown says, reduced to what matters here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Press {
    /// What the key means, e.g. `a`, `?` or `Enter`.
    pub key: String,
    /// Where the key is, e.g. `KeyA`; empty where nobody knows.
    pub code: String,
    /// Whether Ctrl is down.
    pub ctrl: bool,
    /// Whether Shift is down.
    pub shift: bool,
    /// Whether Alt is down.
    pub alt: bool,
    /// Whether the key of the system (⌘) is down.
    pub meta: bool,
    /// Whether the key is being held down.
    pub repeat: bool,
    /// Whether the focus is where somebody types or chooses.
    pub in_input: bool,
    /// Whether the focus is on something that Enter or Space presses, such as a button.
    pub on_control: bool,
}

/// A key with its modifiers. Ctrl stands for ⌘, too: each system has one that is meant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chord {
    ctrl: bool,
    alt: bool,
    shift: bool,
    /// A letter in upper case, a sign, or a name such as `Enter`.
    key: String,
}

/// Keys that only go with others, or that say nothing.
const SILENT: [&str; 13] = [
    "",
    "Alt",
    "AltGraph",
    "CapsLock",
    "Control",
    "Dead",
    "Fn",
    "Meta",
    "NumLock",
    "Process",
    "Shift",
    "Tab",
    "Unidentified",
];

/// Chords that a browser does not hand out, or that everybody needs.
const TAKEN: &str = " Ctrl+C Ctrl+F Ctrl+L Ctrl+N Ctrl+P Ctrl+Q Ctrl+R Ctrl+T Ctrl+V Ctrl+W Ctrl+X Ctrl+Shift+N Ctrl+Shift+R Ctrl+Shift+T Ctrl+Shift+W Space Backspace F5 F11 F12 ";

impl Chord {
    /// The chord of a press; none for a key that only goes with others.
    pub fn of_press(press: &Press) -> Option<Self> {
        let mut key = press.key.as_str();
        let other_script = key.chars().count() == 1 && !key.is_ascii();
        if other_script || key == "Dead" {
            // On a keyboard of another script, the key in the place of a Latin letter is meant.
            key = press.code.strip_prefix("Key").unwrap_or(key);
        }
        if SILENT.contains(&key) || (key != " " && key.trim().is_empty()) {
            return None;
        }
        let sign = key.chars().count() == 1;
        // AltGr, which comes as Ctrl and Alt, made the sign; it is not meant itself.
        let alt_gr = sign && press.ctrl && press.alt && !is_letter(key);
        Some(Self::made(
            (press.ctrl || press.meta) && !alt_gr,
            press.alt && !alt_gr,
            press.shift,
            key,
        ))
    }

    /// Reads e.g. `Ctrl+Shift+Z`.
    pub fn of(text: &str) -> Option<Self> {
        let (mut ctrl, mut alt, mut shift) = (false, false, false);
        let mut rest = text;
        let key = loop {
            match rest.split_once('+') {
                Some((modifier, after)) if !after.is_empty() => {
                    match modifier {
                        "Ctrl" => ctrl = true,
                        "Alt" => alt = true,
                        "Shift" => shift = true,
                        _ => return None,
                    }
                    rest = after;
                }
                _ => break rest,
            }
        };
        let named = || key.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let sign = key.chars().count() == 1 && !key.contains(char::is_whitespace);
        let sound = !SILENT.contains(&key) && (sign || named());
        sound.then(|| Self::made(ctrl, alt, shift, key))
    }

    fn made(ctrl: bool, alt: bool, shift: bool, key: &str) -> Self {
        let key = if key == " " { "Space" } else { key };
        let sign = key.chars().count() == 1;
        Self {
            ctrl,
            alt,
            // Which keys make a sign differs from keyboard to keyboard.
            shift: shift && (!sign || is_letter(key)),
            key: if sign {
                key.to_ascii_uppercase()
            } else {
                key.to_owned()
            },
        }
    }

    /// As text, e.g. `Ctrl+Shift+Z`.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (is, modifier) in [
            (self.ctrl, "Ctrl+"),
            (self.alt, "Alt+"),
            (self.shift, "Shift+"),
        ] {
            if is {
                text.push_str(modifier);
            }
        }
        text.push_str(&self.key);
        text
    }

    /// As it is shown, cap by cap, with the signs of a Mac where `mac` says so.
    pub fn caps(&self, mac: bool) -> Vec<String> {
        let mut caps = Vec::new();
        for (is, word, sign) in [
            (self.ctrl, "Ctrl", "⌘"),
            (self.alt, "Alt", "⌥"),
            (self.shift, "Shift", "⇧"),
        ] {
            if is {
                caps.push(if mac { sign } else { word }.to_owned());
            }
        }
        let key = match self.key.as_str() {
            "ArrowDown" => "↓",
            "ArrowUp" => "↑",
            "ArrowLeft" => "←",
            "ArrowRight" => "→",
            "Delete" => "Del",
            "Escape" => "Esc",
            key => key,
        };
        caps.push(if caps.is_empty() && is_letter(key) {
            key.to_ascii_lowercase()
        } else {
            key.to_owned()
        });
        caps
    }

    /// Whether it is one key that writes a character: what speech and a resting hand press unasked.
    pub fn is_single(&self) -> bool {
        !self.ctrl && !self.alt && (self.key.chars().count() == 1 || self.key == "Space")
    }

    /// Whether it has a modifier that makes it more than typing.
    pub fn is_modified(&self) -> bool {
        self.ctrl || self.alt
    }

    /// Whether it presses a button that has the focus.
    pub fn presses(&self) -> bool {
        !self.is_modified() && matches!(self.key.as_str(), "Enter" | "Space")
    }

    /// Whether the browser keeps it for itself, or everybody needs it as it is.
    pub fn is_taken(&self) -> bool {
        let text = self.to_text();
        TAKEN.split(' ').any(|taken| taken == text)
    }
}

fn is_letter(key: &str) -> bool {
    matches!(key.as_bytes(), [byte] if byte.is_ascii_alphabetic())
}
