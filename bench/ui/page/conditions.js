// The states of the screen that end a measurement.
{
  const bench = (window.bench ??= {});

  // Up-to-date rows from the top of the list.
  const fresh = () => {
    const first = bench.first();
    const busy = bench.grid().getAttribute("aria-busy") === "true";
    return bench.rowCount() > 0 && first && bench.rowIndex(first) <= 2 && !busy;
  };

  bench.conditions = {
    decided: ({ id, status }) => bench.rowOf(id).dataset.status === status,

    // A different row is first, and one of `expected` if those are known.
    sorted({ old, expected }) {
      const id = bench.firstId();
      return id && id !== old && (!expected || expected.includes(id));
    },

    // The row count has changed, to `total` if that is known. One of the sides counts the header as a row.
    found({ old, total }) {
      const count = bench.rowCount();
      return count !== old && (total === null || Math.abs(count - total) <= 1) && fresh();
    },

    foundAgain: ({ count }) => bench.rowCount() === count && bench.first(),

    // What decides may come from the row. The peer has no buttons here.
    decidable({ name, company }) {
      const text = bench.details()?.textContent ?? "";
      return text.includes(name) && text.includes(company) && /\d/.test(text);
    },

    // All details require the server's response.
    opened({ name }) {
      const details = bench.details();
      if (!details || details.getAttribute("aria-busy") === "true") return false;
      const text = details.textContent;
      return text.includes(name) && text.length > name.length + 60;
    },
  };

  bench.first20 = bench.until(() => bench.rows().length >= 20, 60_000);
}
