// A style sheet: imported for its effect, where a bundler knows what to do with it.
export {};
