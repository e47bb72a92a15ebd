/** What a bundler makes of the file: its address, as with `--loader:.wasm=file`. */
declare const address: string;
export default address;
