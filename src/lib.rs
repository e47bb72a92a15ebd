//! Lead review for the browser.
