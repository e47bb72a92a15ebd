//! Wilson's interval of a share: how far the share of a sample may be from that of the whole.

/// Returns the interval for a share of which a sample has `part` of `whole`, both ends between 0 and 1. `deviations` are
/// the standard deviations on each side: 1.96 for a two-sided 95 %, 1.645 for one side.
pub fn interval(part: f64, whole: f64, deviations: f64) -> (f64, f64) {
    let (share, square) = (part / whole, deviations * deviations);
    let spread = (share * (1.0 - share) / whole + square / (4.0 * whole * whole)).sqrt();
    let (middle, scale) = (share + square / (2.0 * whole), 1.0 + square / whole);
    let spread = deviations * spread;
    ((middle - spread) / scale, (middle + spread) / scale)
}
