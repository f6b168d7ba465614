import * as z from 'zod';
import { poolFallbacks, poolNamePattern } from '../../policy/admin/worker-pools.ts';
import { tiers } from '../../policy/plans/plans.ts';
import { jobEngineSchema } from '../../recipe/engine-schemas.ts';
import { lineSchema } from '../user.ts';

/** Settings that keep jobs from starting. */
export const jobSettingsSchema = z.object({
  pausedEngines: z.array(jobEngineSchema).default([]),
  /** Whether all workers are drained. Drained workers don't start jobs. */
  drainsAll: z.boolean().default(false),
  /** Names of workers (`WORKER_NAME`) that don't start jobs. */
  drainedWorkers: z.array(z.string()).default([]),
});
export type JobSettings = z.output<typeof jobSettingsSchema>;

export const isDrained = ({ drainsAll, drainedWorkers }: JobSettings, worker: string): boolean =>
  drainsAll || drainedWorkers.includes(worker);

/** Allowed format of `WORKER_NAME`. */
export const workerNamePattern = /^[\w.-]{1,100}$/;

const reason = lineSchema.max(500).optional();
export const pauseBodySchema = z.strictObject({ paused: z.boolean(), reason });
export const drainBodySchema = z.strictObject({ draining: z.boolean(), reason });

const tier = z.enum(tiers);
const fallback = z.enum(poolFallbacks);
const name = z.string().regex(poolNamePattern, 'Use 1 to 40 lowercase letters, digits, and hyphens, but not "shared".');

/** Fields for the workers of a pool, or for the shared workers, and their jobs. */
const loadFields = {
  /** Live workers, including drained ones. */
  workers: z.int(),
  /** Slots of the live workers that aren't drained. */
  slots: z.int(),
  /** Jobs that are running on these workers, and jobs that are waiting for them. */
  running: z.int(),
  waiting: z.int(),
  /** Waiting time of the oldest job that could start, seconds. Null if there is none. */
  oldestWaitS: z.number().nullable(),
};

const poolSchema = z.object({
  name: z.string(),
  fallback,
  tiers: z.array(tier),
  /** Number of accounts assigned to the pool individually, and the first few of these accounts. */
  accountCount: z.int(),
  accounts: z.array(z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable() })),
  /** When the pool last received a heartbeat from a worker that wasn't drained. Null if it never received one. */
  lastSignAt: z.iso.datetime().nullable(),
  ...loadFields,
});
export type WorkerPool = z.infer<typeof poolSchema>;

export const poolsSchema = z.object({ shared: z.object(loadFields), pools: z.array(poolSchema) });
export type WorkerPools = z.infer<typeof poolsSchema>;

/** `tiers`: all plans assigned to the pool. Plans that were assigned to another pool are moved to this one. */
export const poolBodySchema = z.strictObject({ fallback, tiers: z.array(tier).max(tiers.length), reason });

/** Body for creating a pool. Updates pass the name in the URL instead. */
export const newPoolSchema = poolBodySchema.extend({ name });

/** `pool`: pool to assign to the account. Null to use the pool of its plan. */
export const assignPoolBodySchema = z.strictObject({ pool: name.nullable(), reason });
/** The pool assigned to an account, and the pool of its plan. The plan's pool is used if the account has none. */
export const assignedPoolSchema = z.object({ pool: z.string().nullable(), planPool: z.string().nullable() });
export type AssignedPool = z.infer<typeof assignedPoolSchema>;
