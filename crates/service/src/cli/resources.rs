//! What the process may take of the machine.

/// Memory that SQLite may use, in bytes: the caches of all connections, and what reads put aside.
/// Close to it the caches shrink; what needs more fails alone.
pub(super) const SQLITE_MEMORY: u64 = 512 << 20;

/// Files that are no connections: the database's, several for each of its connections, and those
/// that are served.
const OTHER_FILES: u64 = 128;

/// How many connections there can be at once, `most` at the most. First the process is allowed as
/// many open files as the system lets it have.
#[cfg(unix)]
pub(super) fn connections(most: usize) -> usize {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) => fitting(most, files),
        Err(error) => {
            tracing::warn!(%error, "the limit of open files is not known");
            most
        }
    }
}

#[cfg(not(unix))]
pub(super) fn connections(most: usize) -> usize {
    most
}

/// The connections that so many open files allow: a gateway has one more to its upstream for each.
#[cfg(unix)]
fn fitting(most: usize, files: u64) -> usize {
    let fit = usize::try_from(files.saturating_sub(OTHER_FILES) / 2).unwrap_or(most);
    fit.clamp(1, most)
}

#[cfg(all(test, unix))]
mod tests {
    use super::fitting;

    #[test]
    fn connections_leave_files_for_the_database() {
        assert_eq!(fitting(1024, 1_048_576), 1024);
        assert_eq!(fitting(1024, 1024), 448);
        assert_eq!(fitting(1024, 20), 1);
    }
}
