// Event Timing: how long each interaction took, according to the browser.
{
  const bench = (window.bench ??= {});
  // The shortest duration that the browser reports.
  const SHORTEST_MS = 16;
  // The duration assumed for shorter interactions.
  const UNREPORTED_MS = 8;

  // The longest event of each interaction, by interaction id.
  const durations = new Map();
  // Older browsers do not have this counter; unreported interactions are then ignored.
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
