//! Logging of the service, to stderr.

use std::io::IsTerminal;
use std::panic;

use clap::{Args, ValueEnum};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

#[derive(Args)]
#[command(next_help_heading = "Log options")]
pub(super) struct LogArgs {
    /// What to log: error, warn, info (one line per request) or debug; or a filter such as
    /// "info,hyper=debug".
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    log: String,
    /// The form of the log, which goes to the standard error output.
    #[arg(long, value_enum, default_value_t)]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum LogFormat {
    /// A line of text per event.
    #[default]
    Text,
    /// A JSON object per event and line.
    Json,
}

impl LogArgs {
    /// Starts logging.
    ///
    /// # Errors
    /// If the filter is not valid.
    pub(super) fn start(&self) -> Result<(), String> {
        // A word that is no level would be read as the name of a part, and nothing else would be logged.
        let mut words = self.log.split(',').filter(|word| !word.contains('='));
        if let Some(word) = words.find(|word| word.trim().parse::<LevelFilter>().is_err()) {
            return Err(format!(
                "--log {:?} is not valid: {word:?} is no level. Use one of off, error, warn, info, debug and trace, or \
                 PART=LEVEL. Nothing was started",
                self.log
            ));
        }
        // Not the filter of the feature `env-filter`, which also reads spans, and needs regular expressions for that.
        let filter: Targets = self.log.parse().map_err(|error| {
            format!(
                "--log {:?} is not valid: {error}. Nothing was started",
                self.log
            )
        })?;
        let log = tracing_subscriber::fmt()
            .with_max_level(LevelFilter::TRACE)
            .with_writer(std::io::stderr)
            .with_ansi(std::io::stderr().is_terminal())
            // It would report a failed write with eprintln!, which panics if stderr cannot be written.
            .log_internal_errors(false)
            .with_target(false);
        // It fails only if logging was started before, in a test.
        let _ = match self.log_format {
            LogFormat::Text => log.finish().with(filter).try_init(),
            LogFormat::Json => log
                .json()
                .flatten_event(true)
                .with_current_span(true)
                .with_span_list(false)
                .finish()
                .with(filter)
                .try_init(),
        };
        log_panics();
        Ok(())
    }
}

/// Logs a panic with its place, and with the id of its request. Its message may contain data of a
/// user, so it is only in the debug log.
fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "panicked");
        let payload = panic.payload();
        let message = payload.downcast_ref::<&str>().copied();
        let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        tracing::debug!(panic = message, "message of the panic");
    }));
}
