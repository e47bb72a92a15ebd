//! Pauses before a failed request is repeated.

use lead_workspace::app::model::retry_pause::retry_pause;

#[test]
fn pauses_double_up_to_a_minute() {
    let pauses: Vec<u64> = (0..5).map(retry_pause).collect();
    assert_eq!(pauses, [10, 20, 40, 60, 60]);
    assert_eq!(retry_pause(u32::MAX), 60);
}
