import { limits } from '@uprez/contracts/policy/limits';
import { deleteExpiredAccountTokens } from '@uprez/db/queries/accounts/account-tokens';
import { deleteOldAttempts } from '@uprez/db/queries/accounts/attempts';
import { deleteOldDevices } from '@uprez/db/queries/accounts/devices';
import { deleteExpiredSessions } from '@uprez/db/queries/accounts/sessions';
import { deleteExpiredKeys } from '@uprez/db/queries/jobs/idempotency-keys';
import { deleteOldOutbox } from '@uprez/db/queries/mails/outbox';
import { deleteDueAccounts } from '@uprez/domain/accounts/own-data/delete-due-accounts';
import { runAccountTasks } from '@uprez/domain/accounts/own-data/run-account-tasks';
import { endTierOverrides } from '@uprez/domain/admin/end-tier-overrides';
import { expireBatches } from '@uprez/domain/batches/expire-batches';
import { deleteOldEvents } from '@uprez/domain/events/delete-old-events';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { requeueExpiredLeases } from '@uprez/domain/jobs/requeue-expired-leases';
import { wakeForgottenJobs } from '@uprez/domain/jobs/wake-forgotten-jobs';
import { deleteOldPreviews } from '@uprez/domain/previews/delete-old-previews';
import { deleteGivenUpObjects } from '@uprez/domain/uploads/delete-given-up-objects';
import { deleteOrphanObjects } from '@uprez/domain/uploads/delete-orphan-objects';
import { closeEndedAllowances } from '@uprez/domain/usage/close-ended-allowances';
import { foldUsage } from '@uprez/domain/usage/fold-usage';
import type { Deps } from './deps.ts';

export type Sweep = { name: string; everyS: (sweepS: number) => number; run: (deps: Deps) => Promise<unknown> };

/** A queued job counts as forgotten by Redis after this many seconds without a message, or with an old one. */
const freshSweeps = 1;
const staleSweeps = 12;

/** Messages that were sent or given up are kept so long, seconds. */
const oldMessageS = 30 * 86_400;

/** Everything the dispatcher does by the clock. Each sweep is safe to repeat and to run in several processes. */
export const sweeps: readonly Sweep[] = [
  {
    name: 'wake-jobs',
    everyS: (sweepS) => sweepS,
    run: (deps) => {
      const { SWEEP_S } = deps.config;
      return wakeForgottenJobs(deps, { freshS: SWEEP_S * freshSweeps, staleS: SWEEP_S * staleSweeps });
    },
  },
  {
    name: 'requeue-leases',
    everyS: (sweepS) => sweepS,
    run: (deps) => requeueExpiredLeases(deps, deps.config.RETRY_BASE_S),
  },
  { name: 'run-account-tasks', everyS: (sweepS) => sweepS, run: runAccountTasks },
  { name: 'delete-accounts', everyS: (sweepS) => 12 * sweepS, run: deleteDueAccounts },
  { name: 'expire-batches', everyS: (sweepS) => 12 * sweepS, run: expireBatches },
  { name: 'expire-jobs', everyS: (sweepS) => 2 * sweepS, run: expireJobs },
  {
    name: 'delete-objects',
    everyS: (sweepS) => sweepS,
    run: (deps) => deleteGivenUpObjects(deps, deps.config.UNFINISHED_S),
  },
  { name: 'delete-previews', everyS: (sweepS) => 12 * sweepS, run: deleteOldPreviews },
  {
    name: 'delete-orphans',
    everyS: (sweepS) => 120 * sweepS,
    run: (deps) => deleteOrphanObjects(deps, deps.config.UNFINISHED_S),
  },
  {
    name: 'abort-uploads',
    everyS: (sweepS) => 120 * sweepS,
    run: (deps) => deps.storage.abortStaleUploads(new Date(Date.now() - deps.config.UNFINISHED_S * 1_000)),
  },
  {
    name: 'expire-sessions',
    everyS: (sweepS) => 120 * sweepS,
    run: async (deps) => {
      await deleteExpiredSessions(deps.db);
      await deleteExpiredKeys(deps.db);
      await deleteExpiredAccountTokens(deps.db);
      await deleteOldAttempts(deps.db);
      await deleteOldDevices(deps.db, limits.deviceDays * 86_400);
    },
  },
  { name: 'end-tier-overrides', everyS: (sweepS) => sweepS, run: endTierOverrides },
  { name: 'close-allowances', everyS: (sweepS) => 12 * sweepS, run: closeEndedAllowances },
  { name: 'fold-usage', everyS: (sweepS) => 120 * sweepS, run: foldUsage },
  { name: 'send-mails', everyS: (sweepS) => Math.min(1, sweepS), run: (deps) => deps.mailSender.sendMails() },
  { name: 'delete-old-events', everyS: (sweepS) => 120 * sweepS, run: deleteOldEvents },
  { name: 'delete-old-mails', everyS: (sweepS) => 120 * sweepS, run: (deps) => deleteOldOutbox(deps.db, oldMessageS) },
];
