/**
 * When shared workers take jobs of a pool. `never`. `outage`: no worker of the pool ran for `outageMinutes`. `busy`: no worker
 * of the pool has a free slot.
 */
export const poolFallbacks = ['never', 'outage', 'busy'] as const;
export type PoolFallback = (typeof poolFallbacks)[number];

/** Minutes without a worker after which a pool counts as out of service. */
export const outageMinutes = 5;

/** Stands for workers without a pool in metrics. */
export const sharedPool = 'shared';

/** What `WORKER_POOL` may be. */
export const poolNamePattern = /^(?!shared$)[a-z0-9][a-z0-9-]{0,39}$/;
