// Reads a review that may not be there yet, as on a server: then every lead is idle, and nothing is on its way.

export const IDLE = Object.freeze({ shown: null, phase: "idle", wanted: null, reason: null });

export const EMPTY = Object.freeze({
  pending: 0,
  failed: 0,
  uncertain: 0,
  confirmed: 0,
  canUndo: false,
  canRedo: false,
  isOnline: true,
  pausedUntil: null,
  isKept: false,
});

export const statusOf = (review, leadId) => (review && leadId ? review.snapshot(leadId) : IDLE);
export const snapshotOf = (review) => (review ? review.snapshot() : EMPTY);
export const applied = (review, page) => (review && page ? review.apply(page) : page);
