//! Progress of a long step: a bar on a terminal, a line per tenth elsewhere.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use super::output::tell_line;

pub(super) struct Progress {
    step: &'static str,
    bar: Option<ProgressBar>,
    tenth: u64,
}

impl Progress {
    pub(super) fn new(step: &'static str, total: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let template = "{prefix} [{bar:30}] {human_pos} of {human_len}, {eta} left";
            let style = ProgressStyle::with_template(template);
            let bar = ProgressBar::new(total).with_prefix(step);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self {
            step,
            bar,
            tenth: 0,
        }
    }

    /// Reports the progress of a step. A new step name restarts the display.
    pub(super) fn step(&mut self, step: &'static str, done: u64, total: u64) {
        if self.step != step {
            self.step = step;
            self.tenth = 0;
            if let Some(bar) = &self.bar {
                bar.set_prefix(step);
                bar.reset_eta();
            }
        }
        self.at(done, total);
    }

    fn at(&mut self, done: u64, total: u64) {
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
            return;
        }
        let tenth = done * 10 / total.max(1);
        if tenth > self.tenth {
            self.tenth = tenth;
            tell_line!("{}: {done} of {total}", self.step);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
