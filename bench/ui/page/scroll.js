// Scrolls the rows and measures frames and jumps.
{
  const bench = (window.bench ??= {});
  const height = (element) => element.scrollHeight - element.clientHeight;

  // Jumps once per frame, `steps` times over the whole height. Resolves with the duration of each frame.
  bench.sweep = ({ steps, offset }) =>
    new Promise((resolve) => {
      const element = bench.scroller();
      const most = height(element);
      const frames = [];
      let step = 0;
      let last = null;
      // The position is set in a task after the frame, when the layout is clean. In the frame callback it would force
      // a layout that the page did not request.
      const after = new MessageChannel();
      after.port1.onmessage = () => {
        element.scrollTop = (most * (step + offset)) / steps;
        step += 1;
      };
      performance.mark("bench-scroll-start");
      const frame = (now) => {
        if (last !== null) frames.push(now - last);
        last = now;
        if (step > steps) {
          performance.mark("bench-scroll-end");
          resolve(frames);
          return;
        }
        after.port2.postMessage(0);
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });

  // Jumps to positions all over the list. Resolves with the times until their rows are painted.
  bench.jump = async ({ jumps, pause, within }) => {
    const element = bench.scroller();
    const most = height(element);
    const rows = bench.rowCount() - 1;
    const visible = element.clientHeight / bench.first().offsetHeight;
    const times = [];
    for (let jump = 0; jump < jumps; jump += 1) {
      // Multiples of the golden ratio: spread over the height, never near the previous one.
      const top = Math.round(most * ((jump * 0.618034 + 0.137) % 1));
      await new Promise((resolve) => setTimeout(resolve, pause));
      // Also correct if the list is too long for one pixel per pixel and the scroll height is scaled down.
      const center = (top / most) * (rows - visible) + visible / 2;
      const there = () => bench.rows().some((row) => Math.abs(bench.rowIndex(row) - 1 - center) <= 4);
      const start = performance.now();
      element.scrollTop = top;
      const end = await bench.until(there, within);
      times.push(end === null ? within : end - start);
    }
    return times;
  };
}
