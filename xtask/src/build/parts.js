// Loads the parts of a module that come later. Which there are stands below: `part` gives the function
// by which the module asks for one.

/** Does something once. What failed is done again for whoever asks next. */
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

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new TypeError(`${url} responded with HTTP status ${response.status}`);
  return response;
}

/** Code in a file of its own. */
function whole(address) {
  return async () => {
    const response = await fetched(address());
    const type = response.headers.get("content-type") ?? "";
    // Browsers compile while it comes only what is called Wasm; some servers call it something else.
    return type.trim().toLowerCase() === "application/wasm"
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer());
  };
}

/** Code of which many pieces lie in one file, one after the other, each of so many bytes. */
function pieces(address, ...lengths) {
  const file = once(async () => {
    const url = address();
    const bytes = await (await fetched(url)).arrayBuffer();
    // As every piece begins. A server that answers every address with a page is asked again.
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

/** The code of `compile`, made part of the module after what it needs, but fetched at the same time. */
function joined(compile, needs) {
  return once(async () => {
    const own = compile?.();
    // Heard of below, if what it needs does not fail before.
    own?.catch(() => {});
    await Promise.all(needs.map((need) => need()));
    if (own) await WebAssembly.instantiate(await own, imports());
  });
}

function imports() {
  return { __wasm_split: initSync() };
}

function part(needs, own) {
  const join = joined(sources[own], needs.map((need) => shared[need]));
  return async (callback, data) => {
    let came = true;
    try {
      await join();
    } catch (error) {
      console.error(error);
      came = false;
    }
    imports().__wasm_split.__indirect_function_table.get(callback)(data, came);
  };
}

const shared = sources.map((source) => joined(source, []));
