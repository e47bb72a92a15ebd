//! Limits on the memory and the open files of the process.

#[cfg(unix)]
use super::output::tell_line;

/// Memory limit of SQLite, in bytes: the caches of all connections and the temporary data of reads.
/// Near the limit the caches shrink; only the statement that needs more memory fails.
pub(super) const SQLITE_MEMORY: u64 = 512 << 20;

/// Open files that are not connections: those of the database (several per database connection) and
/// the files being served.
const OTHER_FILES: u64 = 128;

/// Returns how many connections to accept at once, at most `most`. First raises the process's limit
/// of open files as far as the system allows.
#[cfg(unix)]
pub(super) fn connections(most: usize) -> usize {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) => fitting(most, files),
        Err(error) => {
            tracing::warn!(%error, "could not determine the limit of open files");
            most
        }
    }
}

#[cfg(not(unix))]
pub(super) fn connections(most: usize) -> usize {
    most
}

/// Number of connections that fit into a limit of open files. Each counts twice, because a gateway
/// opens one to its upstream for each.
#[cfg(unix)]
fn fitting(most: usize, files: u64) -> usize {
    let fit = usize::try_from(files.saturating_sub(OTHER_FILES) / 2).unwrap_or(most);
    fit.clamp(1, most)
}

/// Lets a write that exceeds the limit on file sizes (`ulimit -f`) fail with an error, which is
/// reported. Without this the system ends the process.
#[cfg(unix)]
pub(super) fn survive_file_size_limit() {
    use tokio::signal::unix::{SignalKind, signal};
    /// The same number on Linux and macOS, apart from MIPS and SPARC.
    const SIGXFSZ: i32 = 25;
    // The handler stays after the receiver and the runtime are dropped.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build();
    let handled = runtime.and_then(|runtime| {
        let _entered = runtime.enter();
        signal(SignalKind::from_raw(SIGXFSZ)).map(drop)
    });
    if let Err(error) = handled {
        tell_line!("warning: a limit on file sizes would end the process: {error}");
    }
}

#[cfg(not(unix))]
pub(super) fn survive_file_size_limit() {}

#[cfg(all(test, unix))]
mod tests {
    use super::fitting;

    #[test]
    fn connection_limit_reserves_files_for_the_database() {
        assert_eq!(fitting(1024, 1_048_576), 1024);
        assert_eq!(fitting(1024, 1024), 448);
        assert_eq!(fitting(1024, 20), 1);
    }
}
