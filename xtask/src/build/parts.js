// Loads the lazily loaded parts of a module. The table of its files, `sources`, is generated above; the parts are
// generated below, each by a call of `part`.

/** Caches the result of `make`. After a failure, the next call tries again. */
function once(make) {
  let made;
  return () => {
    if (!made) {
      const now = make();
      made = now;
      now.catch(() => {
        if (made === now) made = undefined;
      });
    }
    return made;
  };
}

async function fetchOk(url) {
  const response = await fetch(url);
  if (!response.ok) throw new TypeError(`${url} responded with HTTP status ${response.status}`);
  return response;
}

/** Returns a function that compiles the code of a separate file. */
function whole(address) {
  return async () => {
    const response = await fetchOk(address());
    const type = response.headers.get("content-type") ?? "";
    // Streaming compilation needs the Wasm MIME type, which some servers do not send.
    return type.trim().toLowerCase() === "application/wasm"
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer());
  };
}

/** Returns a function for each piece of a file that holds several, one after the other, of these lengths in bytes. */
function pieces(address, ...lengths) {
  const file = once(async () => {
    const url = address();
    const bytes = await (await fetchOk(url)).arrayBuffer();
    // The magic number of Wasm. Some servers answer every URL with a page.
    if (new DataView(bytes).getUint32(0) !== 0x0061736d) throw new TypeError(`${url} is not a WebAssembly module`);
    return bytes;
  });
  let from = 0;
  return lengths.map((length) => {
    const start = from;
    from += length;
    return async () => WebAssembly.compile(new Uint8Array(await file(), start, length));
  });
}

/** Returns a function that loads code into the module, after the code that it needs. Both are fetched at the same time. */
function loader(compile, needs) {
  return once(async () => {
    const own = compile?.();
    // Awaited below, unless the code that it needs fails first.
    own?.catch(() => {});
    await Promise.all(needs.map((need) => need()));
    if (own) await WebAssembly.instantiate(await own, imports());
  });
}

function imports() {
  return { __wasm_split: initSync() };
}

function part(needs, own) {
  const load = loader(sources[own], needs.map((need) => shared[need]));
  return async (callback, data) => {
    let isLoaded = true;
    try {
      await load();
    } catch (error) {
      console.error(error);
      isLoaded = false;
    }
    imports().__wasm_split.__indirect_function_table.get(callback)(data, isLoaded);
  };
}

const shared = sources.map((source) => loader(source, []));
