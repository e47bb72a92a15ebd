//! The font of a brand, and its sizes.

use super::Token;
use super::choice::{Choice, Chosen};
use super::probe::Probe;
use crate::app::model::layout::ROW_HEIGHT;
use crate::embed::warnings::Warnings;

/// The font size that the style sheet is made for, in pixels.
const FONT_SIZE: u32 = 13;

/// Limits in pixels.
const FONT_SIZES: [u32; 2] = [11, 16];
const RADII: [u32; 2] = [0, 16];
const ROW_HEIGHTS: [u32; 2] = [28, 80];

pub struct Sizes<'a> {
    pub probe: &'a Probe,
    pub warnings: &'a Warnings,
    pub tokens: Vec<Token>,
}

impl Sizes<'_> {
    /// Adds the tokens of the font, the corners and the row height. Returns the latter, in pixels.
    pub fn add(&mut self, chosen: &[Chosen]) -> u32 {
        let mut row_height = ROW_HEIGHT;
        for chosen in chosen {
            match chosen.choice {
                Choice::FontFamily => match self.probe.set("font-family", &chosen.text) {
                    true => self.tokens.push(("--font", chosen.text.clone())),
                    false => self.warnings.say(chosen.ignored("is not a font family")),
                },
                Choice::FontSize => {
                    if let Some(size) = self.length(chosen, "font-size", FONT_SIZES) {
                        self.tokens
                            .push(("--px", format!("calc({size}e-2px / {FONT_SIZE})")));
                    }
                }
                Choice::BorderRadius => {
                    if let Some(radius) = self.length(chosen, "width", RADII) {
                        self.tokens.push(("--round", format!("{radius}e-2px")));
                    }
                }
                Choice::RowHeight => {
                    if let Some(height) = self.length(chosen, "width", ROW_HEIGHTS) {
                        row_height = height / 100;
                        self.tokens
                            .push(("--row-height", format!("{row_height}px")));
                    }
                }
                Choice::Surface | Choice::Text | Choice::Line | Choice::Accent => {}
            }
        }
        row_height
    }

    /// Returns a length in hundredths of a pixel, within its limits; `None` if it is not a length. `property` is one that
    /// takes it.
    fn length(&self, chosen: &Chosen, property: &str, limits: [u32; 2]) -> Option<u32> {
        let Some(pixels) = self.probe.pixels(property, &chosen.text) else {
            self.warnings.say(chosen.ignored("is not a length"));
            return None;
        };
        let [least, most] = limits;
        // As an integer: the message of a panic in `f64::clamp` would print floats, which costs 7 kB.
        let length = (pixels * 100.0).round() as u32;
        let within = length.clamp(least * 100, most * 100);
        if within != length {
            self.warnings.say(chosen.says(&format!(
                "is not between {least} and {most} px. The nearer of the two is used."
            )));
        }
        Some(within)
    }
}
