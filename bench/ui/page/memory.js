// Records every linear memory that a Wasm module creates or exports, to add up their sizes.
{
  const bench = (window.bench ??= {});
  const memories = new Set();
  bench.wasmBytes = () => [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0);

  const { Memory, Instance } = WebAssembly;
  const keepExported = (instance) => {
    for (const value of Object.values(instance.exports)) if (value instanceof Memory) memories.add(value);
  };

  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...given) => {
      const result = await original.apply(WebAssembly, given);
      // instantiate(module) returns the instance, instantiate(bytes) returns { module, instance }.
      keepExported(result.instance ?? result);
      return result;
    };
  }
  WebAssembly.Memory = new Proxy(Memory, {
    construct(target, given) {
      const memory = new target(...given);
      memories.add(memory);
      return memory;
    },
  });
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, given) {
      const instance = new target(...given);
      keepExported(instance);
      return instance;
    },
  });
}
