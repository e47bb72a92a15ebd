//! Key bindings of the commands, and how the user changes them.

use super::chord::{Chord, KeyPress};
use super::command::{COMMANDS, Command, Scope};

/// Why a chord cannot be bound to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyConflict {
    /// Other commands have it, or a sequence that begins with it.
    Commands(Vec<Command>),
    /// It is reserved for the browser or for common use, such as copying.
    Browser,
}

/// What a key press does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyAction {
    Run(Command),
    /// It begins a sequence.
    Wait(Chord),
}

/// Key bindings of all commands. A chord belongs to at most one command, and none begins a sequence of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    keys: Vec<Vec<Chord>>,
    /// Whether keys that write a character are active without a modifier.
    pub single: bool,
}

impl Default for Keymap {
    fn default() -> Self {
        let keys = COMMANDS.iter().map(|spec| chords(spec.keys)).collect();
        Self { keys, single: true }
    }
}

impl Keymap {
    /// Returns the keys of a command, including those that are switched off.
    pub fn keys(&self, command: Command) -> &[Chord] {
        &self.keys[command as usize]
    }

    /// Returns the active keys of a command: single-character keys can be switched off.
    pub fn live(&self, command: Command) -> impl Iterator<Item = &Chord> {
        let keys = self.keys(command).iter();
        keys.filter(|chord| self.single || !chord.is_single())
    }

    /// Returns the commands whose keys clash with a chord.
    pub fn owners(&self, chord: &Chord) -> impl Iterator<Item = Command> {
        let clash = |keys: &Vec<Chord>| keys.iter().any(|key| key.clashes(chord));
        let all = COMMANDS.iter().zip(&self.keys);
        all.filter(move |(_, keys)| clash(keys))
            .map(|(spec, _)| spec.command)
    }

    /// Returns what a key press does, where `before` is what was pressed of a sequence, and `at` is the location of the
    /// focus. [`Scope::Always`] is not a location.
    pub fn action(&self, before: Option<Chord>, press: &KeyPress, at: Scope) -> Option<KeyAction> {
        let chord = Chord::from_press(press)?.after(before);
        if !self.single && chord.is_single() {
            return None;
        }
        // If a button has the focus, its own keys press it.
        if press.on_control && chord.is_of_control() {
            return None;
        }
        let mut all = COMMANDS.iter().zip(&self.keys);
        all.find_map(|(spec, keys)| {
            let key = keys.iter().find(|key| key.begins_with(&chord))?;
            let here = match spec.scope {
                Scope::Always => !press.in_input || chord.is_modified(),
                Scope::Page => !press.in_input,
                Scope::Grid => !press.in_input && at == Scope::Grid,
            };
            (here && (spec.repeats || !press.repeat)).then(|| match *key == chord {
                true => KeyAction::Run(spec.command),
                false => KeyAction::Wait(chord.clone()),
            })
        })
    }

    /// Returns the commands whose keys continue a sequence, with what follows.
    pub fn following(&self, before: &Chord) -> Vec<(Command, Chord)> {
        let all = COMMANDS.iter().flat_map(|spec| {
            let keys = self.live(spec.command);
            keys.map(|key| (spec.command, key))
        });
        all.filter_map(|(command, key)| Some((command, key.following(before)?)))
            .collect()
    }

    /// Binds a chord to a command: replaces key number `at`, or appends if there is no such key.
    ///
    /// # Errors
    /// If the chord is reserved or belongs to another command; nothing is changed then.
    pub fn bind(&mut self, command: Command, at: usize, chord: Chord) -> Result<(), KeyConflict> {
        if chord.is_taken() {
            return Err(KeyConflict::Browser);
        }
        let others: Vec<_> = self.owners(&chord).filter(|of| *of != command).collect();
        if !others.is_empty() {
            return Err(KeyConflict::Commands(others));
        }
        let keys = &mut self.keys[command as usize];
        match keys.get_mut(at) {
            Some(key) => *key = chord.clone(),
            None => keys.push(chord.clone()),
        }
        // The command may already have the chord at another position.
        let mut first = true;
        keys.retain(|key| !key.clashes(&chord) || (*key == chord && std::mem::take(&mut first)));
        Ok(())
    }

    /// Binds a chord to a command and removes the keys of other commands that clash with it.
    ///
    /// # Errors
    /// If the chord is reserved.
    pub fn take(&mut self, command: Command, at: usize, chord: Chord) -> Result<(), KeyConflict> {
        if !chord.is_taken() {
            for (spec, keys) in COMMANDS.iter().zip(&mut self.keys) {
                if spec.command != command {
                    keys.retain(|key| !key.clashes(&chord));
                }
            }
        }
        self.bind(command, at, chord)
    }

    /// Removes key number `at` of a command.
    pub fn unbind(&mut self, command: Command, at: usize) {
        let keys = &mut self.keys[command as usize];
        if at < keys.len() {
            keys.remove(at);
        }
    }

    /// Reads stored bindings. Unknown and invalid parts are ignored. If the chords of two commands
    /// clash, the later one in the text gets its own.
    pub fn parse(text: &str) -> Self {
        let mut keymap = Self::default();
        for line in text.lines() {
            match line.split_once('=') {
                Some(("single", value)) => keymap.single = value != "off",
                Some((id, keys)) => {
                    let Some(command) = Command::parse(id) else {
                        continue;
                    };
                    keymap.keys[command as usize].clear();
                    for chord in chords(keys) {
                        // Reserved chords are skipped.
                        let _ = keymap.take(command, usize::MAX, chord);
                    }
                }
                None => {}
            }
        }
        keymap
    }

    /// Returns the text to store. It only has differences from the defaults, so that later defaults
    /// apply.
    pub fn to_text(&self) -> String {
        let usual = Self::default();
        let mut text = String::new();
        for (spec, keys) in COMMANDS.iter().zip(&self.keys) {
            if usual.keys(spec.command) == keys {
                continue;
            }
            text.push_str(spec.id);
            text.push('=');
            for (number, chord) in keys.iter().enumerate() {
                if number > 0 {
                    text.push(' ');
                }
                text.push_str(&chord.to_text());
            }
            text.push('\n');
        }
        if !self.single {
            text.push_str("single=off\n");
        }
        text
    }
}

fn chords(text: &str) -> Vec<Chord> {
    text.split(' ').filter_map(Chord::parse).collect()
}
