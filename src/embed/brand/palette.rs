//! The colors of a brand.

use super::Token;
use super::choice::{Choice, Chosen};
use super::probe::Probe;
use crate::app::model::color::{Oklab, TEXT_CONTRAST};
use crate::embed::warnings::Warnings;

/// The tokens of what lies under texts, the surface first.
const GROUNDS: [&str; 10] = [
    "--surface",
    "--ground",
    "--raised",
    "--hover",
    "--tile",
    "--accent-soft",
    "--approved-soft",
    "--rejected-soft",
    "--pending-soft",
    "--fresh-soft",
];

/// The tokens of texts that are derived.
const TEXTS: [&str; 6] = [
    "--ink-2",
    "--ink-3",
    "--approved",
    "--rejected",
    "--pending",
    "--fresh",
];

/// A chosen color.
#[derive(Clone, Copy)]
struct ChosenColor<'a> {
    by: &'a Chosen,
    color: Oklab,
}

/// The tokens found so far. They are also set on the probe, where the style sheet derives the others from them.
pub struct Palette<'a> {
    pub probe: &'a Probe,
    pub warnings: &'a Warnings,
    pub tokens: Vec<Token>,
}

impl Palette<'_> {
    /// Adds the tokens of the chosen colors, and of what could not be read with them. `None` until the style sheet is
    /// loaded.
    pub fn add(&mut self, chosen: &[Chosen]) -> Option<()> {
        if !chosen.iter().any(|chosen| chosen.choice.is_color()) {
            return None;
        }
        let surface = self.probe.token("--surface")?;
        let surface = match self.find(chosen, Choice::Surface, surface) {
            Some(chosen) => self.surface(chosen),
            None => surface,
        };
        if let Some(line) = self.find(chosen, Choice::Line, surface) {
            self.set("--line", line.color);
        }
        let text = self.find(chosen, Choice::Text, surface);
        if let Some(text) = text {
            self.set("--ink", text.color);
        }
        let accent = self.find(chosen, Choice::Accent, surface);
        let area = accent.map(|accent| {
            let area = accent.color.area_on(surface);
            self.set("--accent", accent.color);
            self.set("--accent-fill", area);
            area
        });
        let (ink, change) = self.legible("--ink")?;
        if let (Some(text), Some(change)) = (text, change) {
            self.warnings
                .say(text.by.says(&[&change, "texts."].concat()));
        }
        let (_, change) = self.legible("--accent")?;
        for name in TEXTS {
            self.legible(name)?;
        }
        let (accent, area) = (accent?, area?);
        self.set("--accent-ink", area.text_on(ink, surface));
        if let Some(change) = change {
            let used = match area == accent.color {
                true => "links and lines.",
                false => "buttons, links and lines.",
            };
            self.warnings.say(accent.by.says(&[&change, used].concat()));
        }
        Some(())
    }

    /// Returns a chosen color as it looks over another.
    fn find<'a>(
        &self,
        chosen: &'a [Chosen],
        choice: Choice,
        ground: Oklab,
    ) -> Option<ChosenColor<'a>> {
        let by = chosen.iter().find(|chosen| chosen.choice == choice)?;
        let Some((color, opacity)) = self.probe.color(&by.text) else {
            self.warnings.say(by.ignored("is not a color"));
            return None;
        };
        let color = color.over(opacity, ground);
        Some(ChosenColor { by, color })
    }

    /// Sets the surface, which decides whether the screen is light or dark.
    fn surface(&mut self, ChosenColor { by, color }: ChosenColor<'_>) -> Oklab {
        let surface = color.as_surface();
        if surface != color {
            let change = [
                "is between light and dark: quieter texts could not be read on it. A ",
                tone(color, surface),
                " tone of it is used.",
            ];
            self.warnings.say(by.says(&change.concat()));
        }
        let scheme = if surface.is_dark() { "dark" } else { "light" };
        self.probe.set("color-scheme", scheme);
        self.tokens.push(("color-scheme", scheme.to_owned()));
        self.set("--surface", surface);
        surface
    }

    /// Replaces the token of a text by the nearest tone that can be read on all grounds. Returns its color, and the
    /// start of a message if it changed.
    fn legible(&mut self, name: &'static str) -> Option<(Oklab, Option<String>)> {
        let mut color = self.probe.token(name)?;
        let mut change = None;
        loop {
            let grounds = GROUNDS.iter().filter_map(|name| self.probe.token(name));
            let grounds: Vec<Oklab> = grounds.collect();
            let legible = color.legible_on(&grounds, TEXT_CONTRAST);
            if legible == color {
                return Some((color, change));
            }
            let tenths = (color.least_contrast(&grounds) * 10.0) as u32;
            change = change.or_else(|| {
                Some(format!(
                    "has a contrast of {}.{}:1 with what is behind texts, which need 4.5:1. A {} tone of it is used for ",
                    tenths / 10,
                    tenths % 10,
                    tone(color, legible),
                ))
            });
            // The grounds may follow.
            self.set(name, legible);
            color = legible;
        }
    }

    fn set(&mut self, name: &'static str, color: Oklab) {
        let color = color.to_css();
        self.probe.set(name, &color);
        self.tokens.push((name, color));
    }
}

fn tone(from: Oklab, to: Oklab) -> &'static str {
    if to.l > from.l { "lighter" } else { "darker" }
}
