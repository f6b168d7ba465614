import { type RouteName, routes } from '../endpoints/routes.ts';

/** Calls that are counted together, how many of them, and for how long. Processing calls go by the plan. */
export const rateLimits = {
  /** Signing in, signing up, and everything that follows a link: per address. */
  auth: { calls: 50, windowMs: 15 * 60_000 },
  /**
   * Calls that make images: per account, whatever it calls with, or address where there is none, so many a minute as
   * the plan allows. Those of the sandbox apart.
   */
  processing: { calls: 'plan', windowMs: 60_000 },
  /**
   * Asking what is left: per key, so many a minute as the plan allows. Where an owner set fewer for a key, all of its
   * calls count here.
   */
  key: { calls: 'plan', windowMs: 60_000 },
  /** Previews, which cost nothing: per address, signed in or not. */
  preview: { calls: 10, windowMs: 60 * 60_000 },
  /** GET, event streams, downloads: per session or key, or address where there is none. */
  reads: { calls: 1_200, windowMs: 60_000 },
  /** Every other write: likewise. */
  writes: { calls: 300, windowMs: 60_000 },
} as const;
export type RateClass = keyof typeof rateLimits;

const named: Partial<Record<RouteName, RateClass | 'none'>> = {
  register: 'auth',
  login: 'auth',
  forgotPassword: 'auth',
  resetPassword: 'auth',
  verifyEmail: 'auth',
  processImage: 'processing',
  estimate: 'processing',
  preview: 'preview',
  bulkProcess: 'processing',
  createBatch: 'processing',
  retryBatch: 'processing',
  // Counted with its batch; so many are fine that a hundred files come at once.
  putBatchItem: 'reads',
  v1Account: 'key',
  v1Process: 'processing',
  v1Resize: 'processing',
  v1Estimate: 'processing',
  v1Bulk: 'processing',
  v1CreateBatch: 'processing',
  v1RetryBatch: 'processing',
  v1PutBatchItem: 'reads',
  // A load balancer asks for them, from one address, for all.
  health: 'none',
  readiness: 'none',
};

/** What a call counts as; undefined: it is not counted. */
export function rateClassOf(name: RouteName): RateClass | undefined {
  const known = named[name];
  if (known !== undefined) return known === 'none' ? undefined : known;
  return routes[name].method === 'GET' ? 'reads' : 'writes';
}
