// Waits for a state of the document, and measures up to the frame that shows it.
{
  const bench = (window.bench ??= {});
  const WATCHED = ["data-lead-id", "data-status", "aria-rowindex", "aria-rowcount", "aria-busy"];

  let waiting = [];
  let probe;

  // A ResizeObserver runs late in the rendering step, whether the change was made in a task or in an animation frame,
  // so scheduling cannot gain a frame. The message is delivered after that step.
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const now = performance.now();
    const done = waiting;
    waiting = [];
    for (const resolve of done) resolve(now);
  };
  const observer = new ResizeObserver(() => {
    if (waiting.length > 0) channel.port2.postMessage(0);
  });

  // Resolves with the time at which the next frame was produced.
  bench.painted = () =>
    new Promise((resolve) => {
      if (!probe) {
        probe = document.createElement("div");
        probe.style.cssText = "position: fixed; left: 0; top: 0; height: 1px; width: 1px; visibility: hidden; "
          + "pointer-events: none; contain: strict";
        document.documentElement.append(probe);
        observer.observe(probe);
      }
      waiting.push(resolve);
      probe.style.width = probe.style.width === "1px" ? "2px" : "1px";
    });

  // Resolves with the paint time of the first state that passes the test; null after `within` ms.
  bench.until = (test, within) =>
    new Promise((resolve) => {
      const passes = () => {
        try {
          return test();
        } catch {
          // An element that the test needs does not exist yet.
          return false;
        }
      };
      const check = () => {
        if (!passes()) return;
        changes.disconnect();
        clearTimeout(timer);
        bench.painted().then(resolve);
      };
      const changes = new MutationObserver(check);
      changes.observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
        attributeFilter: WATCHED,
      });
      const timer = setTimeout(() => {
        changes.disconnect();
        resolve(null);
      }, within);
      check();
    });

  // Starts a measurement: from the next trusted event of this type to the paint of a state that passes the test.
  bench.arm = (type, test, within) => {
    let start = null;
    const begin = (event) => {
      if (start === null && event.isTrusted) start = event.timeStamp;
    };
    addEventListener(type, begin, { capture: true, once: true });
    const end = bench.until(() => start !== null && test(), within);
    bench.armed = end.then((time) => (time === null || start === null ? null : time - start));
  };
}
