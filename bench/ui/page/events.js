// Event Timing: how long each interaction took, according to the browser.
{
  const bench = (window.bench ??= {});
  // The shortest duration that the browser can be asked to report.
  const SHORTEST_MS = 16;
  // Counted for an interaction that was shorter.
  const UNREPORTED_MS = 8;

  // The longest event of each interaction, by interaction id.
  const durations = new Map();
  // Older browsers have no such counter; interactions that were not reported are then left out.
  const count = () => performance.interactionCount ?? 0;
  let before = 0;

  const observer = new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (!interactionId) continue;
      durations.set(interactionId, Math.max(durations.get(interactionId) ?? 0, duration));
    }
  });
  observer.observe({ type: "event", durationThreshold: SHORTEST_MS, buffered: true });

  bench.forgetInteractions = () => {
    durations.clear();
    before = count();
  };

  // The duration of each interaction since forgetInteractions().
  bench.interactions = () => {
    const unreported = Math.max(0, count() - before - durations.size);
    return [...durations.values(), ...Array(unreported).fill(UNREPORTED_MS)];
  };
}
