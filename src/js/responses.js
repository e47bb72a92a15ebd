// The response to each call, apart from its result, which is plain data.

const responses = new WeakMap();

/** Stores the response to the last request of a call. Used by the Wasm module. */
export function setResponse(signal, status, headers, requestId, attempts) {
  responses.set(signal, { status, headers, requestId: requestId ?? null, attempts });
}

/** Returns the response to the last request of the call with this signal. */
export function responseOf(signal) {
  return responses.get(signal);
}
