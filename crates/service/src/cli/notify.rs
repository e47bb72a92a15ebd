//! Tells systemd about the state of the service, if it was started as `Type=notify`.

#[cfg(target_os = "linux")]
pub(super) fn ready() {
    notify(sd_notify::NotifyState::Ready);
}

#[cfg(target_os = "linux")]
pub(super) fn stopping() {
    notify(sd_notify::NotifyState::Stopping);
}

#[cfg(target_os = "linux")]
fn notify(state: sd_notify::NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "systemd could not be notified");
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn ready() {}

#[cfg(not(target_os = "linux"))]
pub(super) fn stopping() {}
