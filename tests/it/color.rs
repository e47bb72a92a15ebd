//! Colors of a brand: their contrast, and the nearest tone that can be read.

use lead_workspace::app::model::color::{Oklab, TEXT_CONTRAST};
use proptest::prelude::*;

/// Returns a color of sRGB, as browsers convert it.
fn srgb([red, green, blue]: [u8; 3]) -> Oklab {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        match part <= 0.040_45 {
            true => part / 12.92,
            false => ((part + 0.055) / 1.055).powf(2.4),
        }
    };
    let [r, g, b] = [red, green, blue].map(linear);
    let long = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
    let medium = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
    let short = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
    Oklab {
        l: 0.210_454_255_3 * long + 0.793_617_785 * medium - 0.004_072_046_8 * short,
        a: 1.977_998_495_1 * long - 2.428_592_205 * medium + 0.450_593_709_9 * short,
        b: 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766 * short,
    }
}

/// Returns the hue in degrees.
fn hue(color: Oklab) -> f64 {
    color.b.atan2(color.a).to_degrees()
}

fn rounded(contrast: f64) -> f64 {
    (contrast * 100.0).round() / 100.0
}

fn parse(text: &str) -> Option<(Oklab, f64)> {
    Oklab::parse(text, |number| number.parse().ok())
}

/// The color that a browser paints: each component has 256 values.
fn painted(color: Oklab) -> Oklab {
    let (parsed, _) = parse(&color.to_css()).unwrap();
    let part = |linear: f64| {
        let linear = linear.clamp(0.0, 1.0);
        let part = match linear <= 0.003_130_8 {
            true => linear * 12.92,
            false => 1.055 * linear.powf(1.0 / 2.4) - 0.055,
        };
        (part * 255.0).round() as u8
    };
    srgb(parsed.linear_rgb().map(part))
}

const WHITE: Oklab = Oklab::WHITE;
const YELLOW: [u8; 3] = [0xff, 0xcc, 0x00];

#[test]
fn contrasts_are_those_of_wcag() {
    let on_white = |color| rounded(srgb(color).contrast(WHITE));
    assert_eq!(on_white([0, 0, 0]), 21.0);
    assert_eq!(on_white([0x76, 0x76, 0x76]), 4.54);
    assert_eq!(on_white([0x77, 0x77, 0x77]), 4.48);
    assert_eq!(on_white([0, 0, 0xff]), 8.59);
    assert_eq!(on_white([0xff, 0, 0]), 4.0);
    assert_eq!(on_white([0xff, 0xff, 0]), 1.07);
}

#[test]
fn a_color_of_a_browser_is_parsed_with_its_opacity() {
    let color = |l, a, b| Oklab { l, a, b };
    assert_eq!(
        parse("oklab(0.5 0.01 -0.17)"),
        Some((color(0.5, 0.01, -0.17), 1.0))
    );
    assert_eq!(
        parse("oklab(0.5 1e-7 none / 0.4)"),
        Some((color(0.5, 1e-7, 0.0), 0.4))
    );
    for text in [
        "",
        "rgb(0, 0, 0)",
        "oklab(0.5 0.1)",
        "oklab(0.5 0.1 x)",
        "oklab(0.5 0.1 0.1",
        "url(x)",
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
}

#[test]
fn what_can_be_read_stays_as_it_is() {
    let blue = srgb([0, 0, 0xff]);
    assert_eq!(blue.legible_on(&[WHITE], TEXT_CONTRAST), blue);
    assert_eq!(WHITE.as_surface(), WHITE);
    let navy = srgb([0x0b, 0x1f, 0x4d]);
    assert_eq!(navy.as_surface(), navy);
}

#[test]
fn yellow_gets_darker_on_white_and_keeps_its_hue() {
    let yellow = srgb(YELLOW);
    let text = yellow.legible_on(&[WHITE], TEXT_CONTRAST);
    assert!(text.l < yellow.l);
    assert!((hue(text) - hue(yellow)).abs() < 0.01);
    assert!(
        (4.5..4.7).contains(&text.contrast(WHITE)),
        "no darker than it must be"
    );
    let dark = srgb([0x11, 0x11, 0x11]);
    assert_eq!(yellow.legible_on(&[dark], TEXT_CONTRAST), yellow);
}

#[test]
fn a_dark_color_gets_lighter_on_a_dark_ground() {
    let ground = srgb([0x19, 0x1c, 0x22]);
    for color in [[0, 0, 0], [0x8b, 0, 0], [0, 0, 0xff]] {
        let text = srgb(color).legible_on(&[ground], TEXT_CONTRAST);
        assert!(text.l > srgb(color).l);
        assert!(text.contrast(ground) >= TEXT_CONTRAST);
    }
}

#[test]
fn a_text_is_light_on_a_strong_color_and_dark_on_a_pale_one() {
    let ink = srgb([0x20, 0x20, 0x30]);
    let on = |color| srgb(color).text_on(ink, WHITE);
    assert_eq!(on([0x0b, 0x57, 0xd0]), WHITE);
    assert_eq!(on(YELLOW), ink);
    // Neither the text nor the surface of the brand can be read here.
    assert_eq!(srgb([0x80, 0x80, 0x80]).text_on(ink, WHITE), Oklab::BLACK);
}

#[test]
fn an_area_that_cannot_be_told_from_its_surface_gets_another_tone() {
    for color in [[0xff, 0xff, 0xff], [0xf2, 0xf2, 0xf2]] {
        let area = srgb(color).area_on(WHITE);
        assert_eq!(area, srgb(color).legible_on(&[WHITE], TEXT_CONTRAST));
        assert_ne!(area, srgb(color));
    }
    assert_eq!(srgb(YELLOW).area_on(WHITE), srgb(YELLOW));
}

#[test]
fn a_translucent_color_is_what_it_looks_like() {
    assert_eq!(Oklab::BLACK.over(0.0, WHITE), WHITE);
    assert_eq!(Oklab::BLACK.over(1.0, WHITE), Oklab::BLACK);
    assert!((Oklab::BLACK.over(0.25, WHITE).l - 0.75).abs() < 1e-9);
}

proptest! {
    #[test]
    fn every_text_can_be_read_as_it_is_painted(text: [u8; 3], surface: [u8; 3]) {
        let surface = srgb(surface).as_surface();
        let text = srgb(text).legible_on(&[surface], TEXT_CONTRAST);
        let contrast = painted(text).contrast(painted(surface));
        // A screen rounds a dark surface, by which a text that stays as it is loses up to a hundredth.
        prop_assert!(contrast >= 0.99 * TEXT_CONTRAST, "{contrast}");
    }

    #[test]
    fn on_every_color_a_text_can_be_read(color: [u8; 3], ink: [u8; 3], surface: [u8; 3]) {
        let color = srgb(color);
        let text = color.text_on(srgb(ink), srgb(surface));
        prop_assert!(text.contrast(color) >= TEXT_CONTRAST);
    }

    #[test]
    fn every_surface_has_room_for_quieter_texts(color: [u8; 3]) {
        let surface = srgb(color).as_surface();
        let best = surface.contrast(WHITE).max(surface.contrast(Oklab::BLACK));
        prop_assert!(best >= 7.0);
    }
}
