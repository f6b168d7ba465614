/**
 * When shared workers take a pool's jobs. `outage`: if no worker of the pool has been running for `outageMinutes`.
 * `busy`: if no worker of the pool has a free slot.
 */
export const poolFallbacks = ['never', 'outage', 'busy'] as const;
export type PoolFallback = (typeof poolFallbacks)[number];

export const outageMinutes = 5;

/** Metric label of workers without a pool. */
export const sharedPool = 'shared';

/** Valid values of `WORKER_POOL`. */
export const poolNamePattern = /^(?!shared$)[a-z0-9][a-z0-9-]{0,39}$/;
