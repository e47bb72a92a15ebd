//! Which keys mean which command, and how a person changes that.

use super::chord::{Chord, Press};
use super::command::{COMMANDS, Command, Scope};

/// Why a key was not given to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// Another command has it.
    Command(Command),
    /// The browser keeps it, or everybody needs it as it is.
    Browser,
}

/// The keys of every command. A chord belongs to one command at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    keys: Vec<Vec<Chord>>,
    /// Whether keys that write a character act without a modifier.
    pub single: bool,
}

impl Default for Keymap {
    fn default() -> Self {
        let keys = COMMANDS.iter().map(|spec| chords(spec.keys)).collect();
        Self { keys, single: true }
    }
}

impl Keymap {
    /// The keys of a command.
    pub fn keys(&self, command: Command) -> &[Chord] {
        &self.keys[command as usize]
    }

    /// The keys of a command that act: without those that the off switch takes away.
    pub fn live(&self, command: Command) -> impl Iterator<Item = &Chord> {
        let keys = self.keys(command).iter();
        keys.filter(|chord| self.single || !chord.is_single())
    }

    /// The command that a chord belongs to.
    pub fn owner(&self, chord: &Chord) -> Option<Command> {
        let at = self.keys.iter().position(|keys| keys.contains(chord))?;
        Some(COMMANDS[at].command)
    }

    /// What a press asks for, where the focus is at. [`Scope::Always`] is no place to be at.
    pub fn command(&self, press: &Press, at: Scope) -> Option<Command> {
        let chord = Chord::of_press(press)?;
        if !self.single && chord.is_single() {
            return None;
        }
        let command = self.owner(&chord)?;
        let spec = command.spec();
        let here = match spec.scope {
            Scope::Always => !press.in_input || chord.is_modified(),
            Scope::Page => !press.in_input,
            Scope::Grid => !press.in_input && at == Scope::Grid,
        };
        // A button under the focus is pressed by its own keys.
        let pressed = press.on_control && chord.presses();
        (here && !pressed && (spec.repeats || !press.repeat)).then_some(command)
    }

    /// Gives a chord to a command, in place of its key number `at` or beside those it has.
    ///
    /// # Errors
    /// When the chord is not free; nothing is changed then.
    pub fn bind(&mut self, command: Command, at: usize, chord: Chord) -> Result<(), Clash> {
        if chord.is_taken() {
            return Err(Clash::Browser);
        }
        match self.owner(&chord) {
            Some(owner) if owner != command => return Err(Clash::Command(owner)),
            _ => {}
        }
        let keys = &mut self.keys[command as usize];
        match keys.get_mut(at) {
            Some(key) => *key = chord.clone(),
            None => keys.push(chord.clone()),
        }
        // The command may have had it in another place.
        let mut first = true;
        keys.retain(|key| *key != chord || std::mem::take(&mut first));
        Ok(())
    }

    /// Gives a chord to a command and takes it from the one that has it.
    ///
    /// # Errors
    /// When the browser keeps it.
    pub fn take(&mut self, command: Command, at: usize, chord: Chord) -> Result<(), Clash> {
        if let Some(owner) = self.owner(&chord).filter(|owner| *owner != command) {
            self.keys[owner as usize].retain(|key| *key != chord);
        }
        self.bind(command, at, chord)
    }

    /// Takes key number `at` away from a command.
    pub fn unbind(&mut self, command: Command, at: usize) {
        let keys = &mut self.keys[command as usize];
        if at < keys.len() {
            keys.remove(at);
        }
    }

    /// Reads what was kept. What it does not understand it passes over, and where two commands
    /// want the same chord, the one that was chosen last has it.
    pub fn of(text: &str) -> Self {
        let mut keymap = Self::default();
        for line in text.lines() {
            match line.split_once('=') {
                Some(("single", value)) => keymap.single = value != "off",
                Some((id, keys)) => {
                    let Some(command) = Command::of(id) else {
                        continue;
                    };
                    keymap.keys[command as usize].clear();
                    for chord in chords(keys) {
                        // A chord that the browser keeps is left out.
                        let _ = keymap.take(command, usize::MAX, chord);
                    }
                }
                None => {}
            }
        }
        keymap
    }

    /// What is kept: only what differs from the defaults, so that later defaults arrive.
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
    text.split(' ').filter_map(Chord::of).collect()
}
