// The metrics in the order of the table: name, unit, meaning.

export const METRICS = [
  // Encoded body sizes, without the API.
  ["bytes_total", "B", "document and everything it loads"],
  ["bytes_js", "B", "scripts"],
  ["bytes_wasm", "B", "Wasm"],
  ["bytes_css", "B", "style sheets"],

  ["fcp", "ms", "first contentful paint"],
  ["first20", "ms", "navigation start to 20 rows with data painted"],
  ["again20", "ms", "the same in a second visit, with the files of the first in the cache"],
  ["load_task", "ms", "main-thread busy time until then"],

  // After a forced garbage collection.
  ["mem_js", "MB", "JavaScript heap"],
  ["mem_wasm", "MB", "Wasm linear memory"],
  ["mem_js_wasm", "MB", "the sum of the two"],
  ["mem_perf", "MB", "performance.memory.usedJSHeapSize"],
  ["mem_uasm", "MB", "performance.measureUserAgentSpecificMemory()"],
  ["dom_nodes", "n", "DOM nodes after the load"],

  // From the time stamp of the input event to the end of the frame that shows the result; the median of several per
  // run. All but the first two include the stub's response.
  ["approve", "ms", "click to new status painted"],
  ["reject", "ms", "the same for Reject"],
  ["sort", "ms", "click on a header to new first row painted"],
  ["search", "ms", "keystroke to result painted, debounce included"],
  ["facet", "ms", "click on a checkbox to result painted"],
  ["detail_first", "ms", "click on a row to what decides painted: name, company, score"],
  ["detail", "ms", "the same to all of its details"],

  // Event Timing, in steps of 8 ms; an interaction under 16 ms counts as 8.
  ["event_p98", "ms", "interaction, 98th percentile"],
  ["event_mean", "ms", "interaction, mean"],

  // One jump per frame, 200 over the whole height.
  ["scroll_long", "n", "frames over 32 ms"],
  ["scroll_frame", "ms", "frame, mean"],
  ["scroll_p95", "ms", "frame, 95th percentile"],
  ["scroll_script", "ms", "script time per frame, from a second, traced pass"],
  ["scroll_task", "ms", "main-thread busy time per frame"],

  ["jump_data", "ms", "jump to row with data painted, mean; 8000 if it never shows"],

  // 50 sorts without CPU throttling.
  ["growth", "MB", "growth of JavaScript heap and Wasm memory"],
  ["cycle_sort", "ms", "one of these sorts, median"],
];
