// The elements of `lead-workspace/ui`. The types add them to React's JSX.

export * from "./ui.js";
