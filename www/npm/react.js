// The elements of `lead-workspace/ui`. What is added is in the types: React knows them in JSX.

export * from "./ui.js";
