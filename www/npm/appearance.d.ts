// The look of what is mounted into a page: theme, colors, font, corners and row height.

/** The color theme; `system` follows the system's setting. */
export type Theme = "light" | "dark" | "system";

/** The colors of {@link Appearance}, each as any CSS color. */
export interface AppearanceColors {
  /**
   * The main buttons; the text on them is chosen so that it can be read. Links, lines and marks get the nearest tone
   * that has a contrast of 4.5:1 where it is used.
   */
  accent?: string | undefined;
  /**
   * What rows, bars and panes are on; other backgrounds are derived from it. It decides whether the screen is light or
   * dark, so give one for each theme to have both.
   */
  surface?: string | undefined;
  /** Text; quieter texts are derived from it. It is adjusted if its contrast is less than 4.5:1. */
  text?: string | undefined;
  /** The lines between areas; those between rows are derived from it. Default: a mix of text and surface. */
  line?: string | undefined;
}

/**
 * The look of the review and the pulse: what your page's brand decides. All other colors are derived, and adjusted so
 * that every text can be read. What is not valid is ignored, with a warning in the console or the workspace's logger.
 * What is missing is taken from the custom property of the page with the same name, such as `--lead-workspace-accent`.
 *
 * @example
 * ```ts
 * import { type Appearance, mountLeadReview } from "lead-workspace/ui";
 *
 * const appearance: Appearance = {
 *   theme: "system",
 *   accent: "#0b6e5f",
 *   fontFamily: "Georgia, serif",
 *   borderRadius: 2,
 *   light: { surface: "#fffdf8" },
 *   dark: { surface: "#14201e", accent: "#5ad1bd" },
 * };
 * mountLeadReview(document.querySelector("#review")!, { appearance });
 * ```
 */
export interface Appearance extends AppearanceColors {
  /** The color theme, instead of the option `theme`. */
  theme?: Theme | undefined;
  /** The font, as in CSS. Fonts that your page loads can be used. Default: `Inter`, then the system's. */
  fontFamily?: string | undefined;
  /** The size of normal text, from 11 to 16 px; a number is in pixels. Other sizes follow. Default: 13 px. */
  fontSize?: number | string | undefined;
  /** The corners of buttons, fields and panes, from 0 to 16 px; a number is in pixels. Default: 8 px. */
  borderRadius?: number | string | undefined;
  /** The height of a comfortable row, from 28 to 80 px; a number is in pixels. A compact one has 80 % of it. Default: 40 px. */
  rowHeight?: number | string | undefined;
  /** Colors of the light theme, before those of both. */
  light?: AppearanceColors | undefined;
  /** Colors of the dark theme, before those of both. */
  dark?: AppearanceColors | undefined;
}
