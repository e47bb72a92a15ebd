//! Colors in OKLab: what can be read on what, and the nearest tone that can.
//!
//! OKLab, because a color keeps its hue when its lightness changes. The browser converts from and to all other forms.

/// The contrast that text needs, by WCAG 2.
pub const TEXT_CONTRAST: f64 = 4.5;

/// The contrast with black or white that a surface needs, so that quieter tones of its text can be read, too.
const SURFACE_CONTRAST: f64 = 7.0;

/// The least contrast at which an area can be told from the surface around it.
const AREA_CONTRAST: f64 = 1.25;

/// A tone that was looked for has this much more contrast than it needs, because screens round colors.
const MARGIN: f64 = 1.01;

/// How far the search for a tone goes at a time.
const STEP: f64 = 0.005;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oklab {
    /// Lightness, from 0 to 1.
    pub l: f64,
    /// From green to red.
    pub a: f64,
    /// From blue to yellow.
    pub b: f64,
}

impl Oklab {
    pub const BLACK: Self = Self::gray(0.0);
    pub const WHITE: Self = Self::gray(1.0);

    const fn gray(l: f64) -> Self {
        Self { l, a: 0.0, b: 0.0 }
    }

    /// Parses a color as browsers write it, such as `oklab(0.5 0.01 -0.17 / 0.8)`. Returns it with its opacity.
    ///
    /// `number` parses a number: a browser can do it, and the parser of the standard library would add 12 kB.
    pub fn parse(text: &str, number: impl Fn(&str) -> Option<f64>) -> Option<(Self, f64)> {
        let numbers = text.strip_prefix("oklab(")?.strip_suffix(')')?;
        let mut numbers = numbers
            .split([' ', '/'])
            .filter(|part| !part.is_empty())
            .map(|part| match part {
                // A component without a meaning.
                "none" => Some(0.0),
                part => number(part),
            });
        let mut next = || numbers.next();
        let (l, a, b) = (next()??, next()??, next()??);
        Some((Self { l, a, b }, next().unwrap_or(Some(1.0))?))
    }

    /// Returns the color as CSS.
    pub fn to_css(self) -> String {
        // Integers only: printing floats would add 7 kB to the module.
        let [l, a, b] = [self.l, self.a, self.b].map(|part| (part * 1e4).round() as i64);
        format!("oklab({l}e-4 {a}e-4 {b}e-4)")
    }

    /// Returns what a translucent color looks like over another.
    pub fn over(self, opacity: f64, ground: Self) -> Self {
        let mix = |top: f64, below: f64| top * opacity + below * (1.0 - opacity);
        Self {
            l: mix(self.l, ground.l),
            a: mix(self.a, ground.a),
            b: mix(self.b, ground.b),
        }
    }

    /// Returns the linear components in sRGB: red, green and blue, from 0 to 1 for the colors that sRGB has.
    pub fn linear_rgb(self) -> [f64; 3] {
        let Self { l, a, b } = self;
        let cube = |value: f64| value * value * value;
        let long = cube(l + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
        let medium = cube(l - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
        let short = cube(l - 0.089_484_177_5 * a - 1.291_485_548 * b);
        [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701 * short,
        ]
    }

    /// Returns the relative luminance of WCAG 2, from 0 to 1.
    pub fn luminance(self) -> f64 {
        let [red, green, blue] = self.linear_rgb().map(|part| part.clamp(0.0, 1.0));
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Returns the contrast of WCAG 2, from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance() + 0.05, other.luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    /// Returns the lowest contrast with any of some colors.
    pub fn least_contrast(self, others: &[Self]) -> f64 {
        let contrasts = others.iter().map(|other| self.contrast(*other));
        contrasts.fold(21.0, f64::min)
    }

    /// Returns whether white is easier to read on the color than black.
    pub fn is_dark(self) -> bool {
        self.contrast(Self::WHITE) > self.contrast(Self::BLACK)
    }

    /// Returns the color if it has this contrast with all of the grounds, otherwise the nearest tone of it that does:
    /// lighter if the first of them is dark, darker if it is light. At the end that is white or black.
    #[must_use]
    pub fn legible_on(self, grounds: &[Self], contrast: f64) -> Self {
        if self.least_contrast(grounds) >= contrast {
            return self;
        }
        let is_on_dark = grounds.first().is_some_and(|ground| ground.is_dark());
        let step = if is_on_dark { STEP } else { -STEP };
        let mut l = self.l;
        while (0.0..=1.0).contains(&l) {
            let tone = self.toned(l);
            if tone.least_contrast(grounds) >= contrast * MARGIN {
                return tone;
            }
            l += step;
        }
        if is_on_dark { Self::WHITE } else { Self::BLACK }
    }

    /// Returns the color with another lightness, and with as much of its chroma as sRGB has there.
    fn toned(self, l: f64) -> Self {
        let with = |part: f64| Self {
            l,
            a: self.a * part,
            b: self.b * part,
        };
        let is_shown = |color: &Self| {
            let parts = color.linear_rgb();
            parts.iter().all(|part| (-1e-4..=1.0001).contains(part))
        };
        let parts = (0..=20).rev().map(|part| f64::from(part) / 20.0);
        parts
            .map(with)
            .find(is_shown)
            .unwrap_or_else(|| Self::gray(l))
    }

    /// Returns the color as a surface: black or white can be read on it, and quieter tones of them.
    #[must_use]
    pub fn as_surface(self) -> Self {
        let text = if self.is_dark() {
            Self::WHITE
        } else {
            Self::BLACK
        };
        self.legible_on(&[text], SURFACE_CONTRAST)
    }

    /// Returns the color of an area on a surface: this one, or if it cannot be told from the surface, the tone of it that
    /// texts have there.
    #[must_use]
    pub fn area_on(self, surface: Self) -> Self {
        if self.contrast(surface) < AREA_CONTRAST {
            self.legible_on(&[surface], TEXT_CONTRAST)
        } else {
            self
        }
    }

    /// Returns the color of a text on this one: the lighter of two if it can be read, or else the darker, white or
    /// black.
    pub fn text_on(self, one: Self, other: Self) -> Self {
        let (lighter, darker) = if one.l > other.l {
            (one, other)
        } else {
            (other, one)
        };
        let can_be_read = |text: &Self| text.contrast(self) >= TEXT_CONTRAST;
        // On every color one of white and black can be read.
        [lighter, darker, Self::WHITE]
            .into_iter()
            .find(can_be_read)
            .unwrap_or(Self::BLACK)
    }
}
