// A style sheet, imported for its side effect by bundlers that support it.
export {};
