//! The wire contract of the lead and account workspace.
