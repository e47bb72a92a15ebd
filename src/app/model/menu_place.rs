//! Where a menu opens at a point of the viewport.

/// The least distance from the edges, in pixels.
const EDGE: f64 = 8.0;

/// Returns where a menu of a size begins, in one direction: at the point, or before it where the menu would not fit.
pub fn menu_place(point: f64, size: f64, room: f64) -> f64 {
    point.min(room - size - EDGE).max(EDGE)
}
