//! A key with its modifiers, or several in sequence: from an event, from text, and for display.

/// The relevant data of a keydown event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPress {
    /// `KeyboardEvent.key`, e.g. `a`, `?` or `Enter`.
    pub key: String,
    /// `KeyboardEvent.code`, e.g. `KeyA`; empty if it is unknown.
    pub code: String,
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
    /// Whether the Meta key (⌘) is down.
    pub meta: bool,
    /// Whether the event repeats because the key is held down.
    pub repeat: bool,
    /// Whether the focus is on an input, where the user types or chooses.
    pub in_input: bool,
    /// Whether the focus is on a control that Enter or Space presses, such as a button.
    pub on_control: bool,
}

/// A key with its modifiers. Ctrl also represents ⌘: each system uses one of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chord {
    /// In a sequence, what is pressed before it.
    before: Option<Box<Self>>,
    ctrl: bool,
    alt: bool,
    shift: bool,
    /// Letter in upper case, sign, or name such as `Enter`.
    key: String,
}

/// Word between the key caps of a sequence.
pub const THEN: &str = "then";

/// Keys that are no chord by themselves: modifiers, keys without a meaning, and Tab.
const KEYS_WITHOUT_CHORD: [&str; 13] = [
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

/// Chords that browsers do not pass on, or that every user needs.
const RESERVED: &str = " Ctrl+C Ctrl+F Ctrl+L Ctrl+N Ctrl+P Ctrl+Q Ctrl+R Ctrl+T Ctrl+V Ctrl+W Ctrl+X Ctrl+Shift+N Ctrl+Shift+R Ctrl+Shift+T Ctrl+Shift+W Space Backspace F5 F11 F12 ";

impl Chord {
    /// Returns the chord of a key press; `None` if the key is no chord by itself.
    pub fn from_press(press: &KeyPress) -> Option<Self> {
        let mut key = press.key.as_str();
        let other_script = key.chars().count() == 1 && !key.is_ascii();
        if other_script || key == "Dead" {
            // On a keyboard of another script, use the Latin letter at the same position.
            key = press.code.strip_prefix("Key").unwrap_or(key);
        }
        if KEYS_WITHOUT_CHORD.contains(&key) || (key != " " && key.trim().is_empty()) {
            return None;
        }
        let sign = key.chars().count() == 1;
        // AltGr is reported as Ctrl and Alt. It produced the sign and is not part of the chord.
        let alt_gr = sign && press.ctrl && press.alt && !is_letter(key);
        Some(Self::made(
            (press.ctrl || press.meta) && !alt_gr,
            press.alt && !alt_gr,
            press.shift,
            key,
        ))
    }

    /// Reads text such as `Ctrl+Shift+Z`, or `G>L` for G and then L.
    pub fn parse(text: &str) -> Option<Self> {
        match text.rsplit_once('>') {
            Some((before, key)) if !before.is_empty() && !key.is_empty() => {
                Some(Self::parse_one(key)?.after(Some(Self::parse(before)?)))
            }
            _ => Self::parse_one(text),
        }
    }

    fn parse_one(text: &str) -> Option<Self> {
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
        let sound = !KEYS_WITHOUT_CHORD.contains(&key) && (sign || named());
        sound.then(|| Self::made(ctrl, alt, shift, key))
    }

    fn made(ctrl: bool, alt: bool, shift: bool, key: &str) -> Self {
        let key = if key == " " { "Space" } else { key };
        let sign = key.chars().count() == 1;
        Self {
            before: None,
            ctrl,
            alt,
            // Whether a sign needs Shift depends on the keyboard.
            shift: shift && (!sign || is_letter(key)),
            key: if sign {
                key.to_ascii_uppercase()
            } else {
                key.to_owned()
            },
        }
    }

    /// Returns the sequence of another chord and this one.
    #[must_use]
    pub fn after(self, before: Option<Self>) -> Self {
        Self {
            before: before.map(Box::new),
            ..self
        }
    }

    /// Whether it is another chord, or a sequence that begins with it.
    pub fn begins_with(&self, other: &Self) -> bool {
        self == other
            || self
                .before
                .as_ref()
                .is_some_and(|before| before.begins_with(other))
    }

    /// In a sequence that begins with another chord, returns what follows that.
    pub fn following(&self, other: &Self) -> Option<Self> {
        let before = self.before.as_ref()?;
        match **before == *other {
            true => Some(self.clone().after(None)),
            false => before.following(other),
        }
    }

    /// Whether a keymap cannot have both: they are the same, or one begins with the other.
    pub fn clashes(&self, other: &Self) -> bool {
        self.begins_with(other) || other.begins_with(self)
    }

    /// Returns what is pressed first.
    fn first(&self) -> &Self {
        self.before.as_ref().map_or(self, |before| before.first())
    }

    /// Returns text that [`parse`](Self::parse) reads.
    pub fn to_text(&self) -> String {
        let mut text = match &self.before {
            Some(before) => before.to_text() + ">",
            None => String::new(),
        };
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

    /// Returns the key caps to show, with Mac symbols if `mac` is true.
    pub fn caps(&self, mac: bool) -> Vec<String> {
        let mut caps = Vec::new();
        if let Some(before) = &self.before {
            caps = before.caps(mac);
            caps.push(THEN.to_owned());
        }
        let others = caps.len();
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
            "ContextMenu" => "Menu",
            key => key,
        };
        caps.push(if caps.len() == others && is_letter(key) {
            key.to_ascii_lowercase()
        } else {
            key.to_owned()
        });
        caps
    }

    /// Whether it is a single key that writes a character, or begins with one. Speech input and a resting hand can
    /// trigger such keys by accident.
    pub fn is_single(&self) -> bool {
        let Self { key, .. } = self.first();
        !self.is_modified() && (key.chars().count() == 1 || key == "Space")
    }

    /// Whether it has a modifier that does not occur in normal typing.
    pub fn is_modified(&self) -> bool {
        let first = self.first();
        first.ctrl || first.alt
    }

    /// Whether a button or link that has the focus uses it: to be pressed, or for the browser's own menu.
    pub fn is_of_control(&self) -> bool {
        let key = self.first().key.as_str();
        !self.is_modified() && matches!(key, "Enter" | "Space" | "ContextMenu" | "F10")
    }

    /// Whether it is reserved for the browser or for common use.
    pub fn is_taken(&self) -> bool {
        let text = self.first().to_text();
        RESERVED.split(' ').any(|taken| taken == text)
    }
}

fn is_letter(key: &str) -> bool {
    matches!(key.as_bytes(), [byte] if byte.is_ascii_alphabetic())
}
