// The streams of changes of a test workspace that are open.

/** As in the service. */
const HEARTBEAT_MS = 15_000;

const bytes = (text) => new TextEncoder().encode(text);

export class ChangeStreams {
  #memory;
  #breaks;
  #open = new Set();

  /**
   * @param {() => object} memory Returns the workspace in the Wasm module.
   * @param {(received: object) => boolean} breaks Whether a fault breaks the connection of a request, instead of an event.
   */
  constructor(memory, breaks) {
    this.#memory = memory;
    this.#breaks = breaks;
  }

  /** Returns the body of a response that goes on until the request is aborted, or a fault or `end` ends it. */
  open(received, { body, stream: version }, request) {
    // In Node, the signal of a request that was collected is not aborted any more.
    const { signal } = request;
    const stream = { received, version, request };
    stream.close = () => {
      this.#open.delete(stream);
      clearInterval(stream.heartbeat);
    };
    signal.addEventListener("abort", () => {
      if (!this.#open.has(stream)) return;
      stream.close();
      stream.controller.error(signal.reason);
    });
    return new ReadableStream({
      start: (controller) => {
        stream.controller = controller;
        controller.enqueue(bytes(body));
        this.#open.add(stream);
        stream.heartbeat = setInterval(() => controller.enqueue(bytes(": still here\n\n")), HEARTBEAT_MS);
        // A test does not wait for it.
        stream.heartbeat.unref?.();
      },
      cancel: stream.close,
    });
  }

  /** Sends every stream what has happened since its last event. */
  send() {
    for (const stream of [...this.#open]) {
      const { text, version } = JSON.parse(this.#memory().partAfter(stream.version));
      if (text === "") continue;
      stream.version = version;
      if (this.#breaks(stream.received)) {
        stream.close();
        // A part of the event may have arrived.
        stream.controller.enqueue(bytes(text.slice(0, text.length / 2)));
        stream.controller.error(new TypeError("terminated"));
      } else {
        stream.controller.enqueue(bytes(text));
      }
    }
  }

  /** Ends all streams, as a stop of the service does. */
  end() {
    for (const stream of [...this.#open]) {
      stream.close();
      stream.controller.close();
    }
  }
}
