/** Compiles and instantiates a part. Streaming needs the Wasm MIME type, which some servers do not send. */
async function instantiate(source, imports) {
  const response = await source;
  if (!response.ok) throw new TypeError(`${response.url} responded with HTTP status ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  return type.trim().toLowerCase() === "application/wasm"
    ? WebAssembly.instantiateStreaming(response, imports)
    : WebAssembly.instantiate(await response.arrayBuffer(), imports);
}
