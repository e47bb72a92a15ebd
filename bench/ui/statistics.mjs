// Medians, means, quantiles, and the ratio of two medians with its interval. All return null for an empty list.

const ROUNDS = 4_000;
const CONFIDENCE = 0.95;

const ascending = (numbers) => [...numbers].sort((a, b) => a - b);

export function median(numbers) {
  const sorted = ascending(numbers);
  const half = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

export function mean(numbers) {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

export function quantile(numbers, part) {
  const sorted = ascending(numbers);
  return sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}

// Returns the median of the first values divided by the median of the second, or null if the divisor is not positive.
export function ratio(pairs) {
  const [above, below] = [0, 1].map((at) => median(pairs.map((pair) => pair[at])));
  return above !== null && below > 0 ? above / below : null;
}

// Returns the 95 % interval of the ratio, by bootstrap. It samples pairs, not single values, because the two runs of
// a pair were made under the same conditions. The random numbers are fixed: the same pairs give the same interval.
export function interval(pairs) {
  const random = randoms();
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const drawn = ratio(pairs.map(() => pairs[Math.floor(random() * pairs.length)]));
    if (drawn !== null) ratios.push(drawn);
  }
  const rest = (1 - CONFIDENCE) / 2;
  return [quantile(ratios, rest), quantile(ratios, 1 - rest)];
}

function randoms() {
  let state = 20250101;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
