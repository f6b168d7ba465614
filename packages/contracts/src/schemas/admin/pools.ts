import * as z from 'zod';
import { poolFallbacks, poolNamePattern } from '../../policy/admin/worker-pools.ts';
import { tiers } from '../../policy/plans/plans.ts';
import { lineSchema } from '../user.ts';

const tier = z.enum(tiers);
const fallback = z.enum(poolFallbacks);
const name = z.string().regex(poolNamePattern, 'Use 1 to 40 lowercase letters, digits, and hyphens, but not "shared".');
const reason = lineSchema.max(500).optional();

/** The workers of a pool, or the shared ones, and the work that waits for them. */
const load = {
  /** Live workers, with those that are drained. */
  workers: z.int(),
  /** Of live workers that aren't drained. */
  slots: z.int(),
  /** Jobs that its workers run, and jobs that wait for them. */
  running: z.int(),
  waiting: z.int(),
  /** Seconds that the oldest job waits that could start. Null: none. */
  oldestWaitS: z.number().nullable(),
};

export const poolSchema = z.object({
  name: z.string(),
  fallback,
  /** The plans that are assigned to it. */
  tiers: z.array(tier),
  /** The number of accounts that are assigned by themselves, and the first of them. */
  accountCount: z.int(),
  accounts: z.array(z.object({ id: z.uuid(), email: z.string(), name: z.string().nullable() })),
  /** When a worker last said that it starts jobs. Null: none ever did. */
  lastSignAt: z.iso.datetime().nullable(),
  ...load,
});
export type WorkerPool = z.infer<typeof poolSchema>;

export const poolsSchema = z.object({ shared: z.object(load), pools: z.array(poolSchema) });
export type WorkerPools = z.infer<typeof poolsSchema>;

/** `tiers`: all plans of the pool. Plans of another pool move. */
export const poolBodySchema = z.strictObject({ fallback, tiers: z.array(tier).max(tiers.length), reason });

/** The same with the name, which is part of the URL. */
export const newPoolSchema = poolBodySchema.extend({ name });

/** `pool`: null for that of the plan. */
export const assignPoolBodySchema = z.strictObject({ pool: name.nullable(), reason });
/** The pool of an account by itself, and that of its plan, which holds otherwise. */
export const assignedPoolSchema = z.object({ pool: z.string().nullable(), planPool: z.string().nullable() });
export type AssignedPool = z.infer<typeof assignedPoolSchema>;
