/** The value that a bundler substitutes for the file: its URL, as with `--loader:.wasm=file`. */
declare const address: string;
export default address;
