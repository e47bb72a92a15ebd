// The part of Vitest's types that the examples in docs/testing.md need.

export function beforeEach(run: () => unknown): void;
export function test(name: string, run: () => unknown): void;
export function expect(value: unknown): { toBe(expected: unknown): void; toContain(expected: unknown): void };
