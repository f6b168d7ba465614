import { AppError } from '@uprez/contracts/errors/app-error';
import { jobEngineSchema } from '@uprez/contracts/recipe/engine-schemas';
import { type JobSettings, workerNamePattern } from '@uprez/contracts/schemas/admin/workers';
import type { Tx } from '@uprez/db/database';
import { lockSettings } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { readJobSettings } from '@uprez/db/queries/jobs/job-settings';
import { catchUpPausedAccounts } from '@uprez/db/queries/jobs/virtual-times';
import type { Needs } from '../../context.ts';
import { type Administrator, lockAdmin, toAuditFields } from '../administrator.ts';

export type OperatorChange = { admin: Administrator; reason?: string | undefined };
type PlannedChange = {
  admin: Administrator;
  /** Returns the part of the settings to record in the audit log as the subject's state. */
  stateOf: (settings: JobSettings) => Record<string, unknown>;
  change: (settings: JobSettings) => JobSettings;
};
type JobSettingsChange = OperatorChange &
  PlannedChange & {
    action: string;
    subject: string;
    /** Runs before the change if the change is allowed, outside the change's transaction. Must be safe to repeat. */
    prepare?: (() => Promise<void>) | undefined;
  };

/**
 * Changes which jobs workers may start, effective when they next claim one. Throws `operations_changed` if the state is
 * already as requested, and the errors of `lockAdmin`.
 */
async function changeJobSettings(
  ctx: Needs<'db' | 'settings'>,
  { admin, reason, action, subject, prepare, ...plan }: JobSettingsChange,
): Promise<JobSettings> {
  if (prepare) {
    await ctx.db.transaction().execute((tx) => planChange(tx, { admin, ...plan }));
    await prepare();
  }
  const written = await ctx.db.transaction().execute(async (tx) => {
    const { value, before, after } = await planChange(tx, { admin, ...plan });
    await insertAudit(tx, { ...toAuditFields(admin), action, subject, reason, before, after });
    await upsertSettings(tx, 'jobs', value);
    return value;
  });
  ctx.settings.forget('jobs');
  return written;
}

/**
 * Locks the administrator and the settings, and returns the settings as they will be after the change. Throws
 * `operations_changed` if nothing would change.
 */
async function planChange(tx: Tx, { admin, stateOf, change }: PlannedChange) {
  await lockAdmin(tx, admin);
  await lockSettings(tx, 'jobs');
  const held = await readJobSettings(tx);
  const value = change(held);
  const [before, after] = [stateOf(held), stateOf(value)];
  if (JSON.stringify(before) === JSON.stringify(after)) throw new AppError('operations_changed');
  return { value, before, after };
}

const setMember = <Member>(list: readonly Member[], member: Member, isIn: boolean): Member[] => [
  ...list.filter((one) => one !== member),
  ...(isIn ? [member] : []),
];

type DrainChange = OperatorChange & { draining: boolean };

/**
 * Drains or resumes all workers. Draining workers finish their running jobs and don't start new ones. Throws the errors
 * of `changeJobSettings`.
 */
export const setWorkersDraining = (
  ctx: Needs<'db' | 'settings'>,
  { draining, ...by }: DrainChange,
): Promise<JobSettings> =>
  changeJobSettings(ctx, {
    ...by,
    action: draining ? 'worker.drain' : 'worker.resume',
    subject: 'worker:all',
    stateOf: ({ drainsAll }) => ({ drained: drainsAll }),
    change: (settings) => ({ ...settings, drainsAll: draining }),
  });

/**
 * Drains or resumes all workers with the given name. They stay drained after a restart. Throws `not_found` for an
 * invalid name, and the errors of `changeJobSettings`.
 */
export async function drainWorker(
  ctx: Needs<'db' | 'settings'>,
  { name, draining, ...by }: DrainChange & { name: string },
): Promise<JobSettings> {
  if (!workerNamePattern.test(name)) throw new AppError('not_found');
  return changeJobSettings(ctx, {
    ...by,
    action: draining ? 'worker.drain' : 'worker.resume',
    subject: `worker:${name}`,
    stateOf: ({ drainedWorkers }) => ({ drained: drainedWorkers.includes(name) }),
    change: (settings) => ({ ...settings, drainedWorkers: setMember(settings.drainedWorkers, name, draining) }),
  });
}

/**
 * Pauses or resumes an engine. While it's paused, its jobs are accepted but not started, and running jobs finish.
 * Throws `not_found` and the errors of `changeJobSettings`.
 */
export async function pauseEngine(
  ctx: Needs<'db' | 'settings'>,
  { engine: name, paused, ...by }: OperatorChange & { engine: string; paused: boolean },
): Promise<JobSettings> {
  const engine = jobEngineSchema.safeParse(name).data;
  if (!engine) throw new AppError('not_found');
  // Needs its own transaction. It locks accounts in the order of their IDs, but the change locks the administrator's
  // account first, so a shared transaction could deadlock.
  const prepare = () => ctx.db.transaction().execute(catchUpPausedAccounts);
  return changeJobSettings(ctx, {
    ...by,
    prepare: paused ? undefined : prepare,
    action: paused ? 'engine.pause' : 'engine.resume',
    subject: `engine:${engine}`,
    stateOf: ({ pausedEngines }) => ({ paused: pausedEngines.includes(engine) }),
    change: (settings) => ({ ...settings, pausedEngines: setMember(settings.pausedEngines, engine, paused) }),
  });
}
