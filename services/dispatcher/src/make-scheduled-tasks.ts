import { accessLogLimits } from '@uprez/contracts/policy/admin/logs';
import { imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans/plans';
import { statusRules } from '@uprez/contracts/policy/status';
import { deleteOldAccessData } from '@uprez/db/queries/access/access-events';
import { deleteExpiredAccountTokens } from '@uprez/db/queries/accounts/account-tokens';
import { deleteOldAttempts } from '@uprez/db/queries/accounts/attempts';
import { deleteOldInvitations } from '@uprez/db/queries/accounts/invitations';
import { deleteExpiredPasskeyChallenges } from '@uprez/db/queries/accounts/passkeys';
import { deleteExpiredSessions, deleteOldDevices } from '@uprez/db/queries/accounts/sessions';
import { deleteOldStripeChecks } from '@uprez/db/queries/billing/stripe-checks';
import { deleteOldStripeEvents } from '@uprez/db/queries/billing/stripe-events';
import { deleteOldImages } from '@uprez/db/queries/image-urls/image-url-results';
import { deleteExpiredKeys } from '@uprez/db/queries/jobs/idempotency-keys';
import { deletePreviewRows } from '@uprez/db/queries/jobs/queued-jobs';
import { deleteOldRejectedImages } from '@uprez/db/queries/jobs/rejected-images';
import { deleteOrphanedTargets } from '@uprez/db/queries/jobs/result-deliveries';
import { deleteSilentWorkers } from '@uprez/db/queries/jobs/workers';
import { deleteOldOutbox } from '@uprez/db/queries/mails/outbox';
import { deleteExpiredSubscriptions } from '@uprez/db/queries/newsletter/subscribers';
import { deleteOldProbes } from '@uprez/db/queries/status/probes';
import { anomaliesTask, findAnomalies } from '@uprez/domain/access/find-anomalies';
import { deleteDueAccounts } from '@uprez/domain/accounts/own-data/delete-account';
import { makeExports } from '@uprez/domain/accounts/own-data/make-exports';
import { deleteOldViews } from '@uprez/domain/accounts/views/account-views';
import { fillAuditAccounts } from '@uprez/domain/admin/audit/fill-audit-accounts';
import { cancelSuspendedWork } from '@uprez/domain/admin/change-user';
import { rollUpAnalytics } from '@uprez/domain/analytics/roll-up-analytics';
import { expireBatches } from '@uprez/domain/batches/cancel-batch';
import { deleteOldBatches, mailEndedBatches } from '@uprez/domain/batches/ended-batches';
import { mailUpcomingDates } from '@uprez/domain/billing/billing-mails';
import { settleEndedPlans } from '@uprez/domain/billing/plan/settle-plan';
import { deleteOldContent, publishDueArticles, renderStaleArticles } from '@uprez/domain/content/content-tasks';
import { rollUpUsage } from '@uprez/domain/dashboard/get-usage';
import { deleteOldEvents } from '@uprez/domain/feed/release-events';
import { deleteOldTickets } from '@uprez/domain/inbox/delete-old-tickets';
import { failExpiredLeases } from '@uprez/domain/jobs/attempts/fail-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { enqueueMissedJobs } from '@uprez/domain/jobs/wake-workers';
import { deleteOldMedia } from '@uprez/domain/media/change-media';
import { deleteMarkedObjects, deleteOrphanObjects } from '@uprez/domain/uploads/delete-objects';
import { closeEndedAllowances } from '@uprez/domain/usage/ensure-period';
import type { Deps } from './deps.ts';
import { measurements, storeMeasurement } from './measurements/measurements.ts';
import type { ScheduledTask } from './open-task-scheduler.ts';
import { runProbes } from './probes/run-probes.ts';

const oldMailS = 30 * 86_400;
/** Longer than the period in which Stripe resends and lists an event, because an event must not be stored twice. */
const oldStripeEventS = 60 * 86_400;

/**
 * Sweeps after which a queued job is enqueued again: `freshSweeps` if it has no message in Redis, `staleSweeps` if its
 * message is old.
 */
const freshSweeps = 1;
const staleSweeps = 12;

/** Returns a function that creates a task that runs in one dispatcher at a time. Intervals are multiples of SWEEP_S. */
const makeTask =
  ({ SWEEP_S }: Deps['config']) =>
  (sweeps: number, name: string, run: () => Promise<unknown>): ScheduledTask => ({
    name,
    everyS: sweeps * SWEEP_S,
    run,
  });

/** Creates all tasks that run in one dispatcher at a time. */
export function makeScheduledTasks(deps: Deps): ScheduledTask[] {
  const { SWEEP_S, RETRY_BASE_S, UNFINISHED_S, PROBES } = deps.config;
  const slow = { ...deps, db: deps.maintenanceDb };
  const every = makeTask(deps.config);
  return [
    every(1, 'wake-jobs', () =>
      enqueueMissedJobs(deps, { freshS: SWEEP_S * freshSweeps, staleS: SWEEP_S * staleSweeps }),
    ),
    every(1, 'requeue-expired-leases', () => failExpiredLeases(deps, RETRY_BASE_S)),
    every(1, 'delete-objects', () => deleteMarkedObjects(deps, UNFINISHED_S)),
    every(1, 'publish-articles', () => publishDueArticles(deps)),
    every(1, 'settle-ended-plans', () => settleEndedPlans(deps)),
    every(2, 'cancel-suspended', () => cancelSuspendedWork(deps)),
    every(2, 'mail-ended-batches', () => mailEndedBatches(deps)),
    every(12, 'render-stale-articles', () => renderStaleArticles(slow)),
    every(12, 'close-allowances', () => closeEndedAllowances(deps)),
    every(12, 'delete-accounts', () => deleteDueAccounts(slow)),
    every(120, 'abort-uploads', () => deps.storage.abortStaleUploads(new Date(Date.now() - UNFINISHED_S * 1_000))),
    every(120, 'roll-up-analytics', () => rollUpAnalytics(slow)),
    every(120, 'roll-up-usage', () => rollUpUsage(slow)),
    every(120, 'fill-audit-accounts', () => fillAuditAccounts(slow)),
    every(12, anomaliesTask, () => findAnomalies(slow)),
    every(720, 'mail-dates-ahead', () => mailUpcomingDates(deps)),
    ...(PROBES ? [every(1, 'probe-services', () => runProbes(deps))] : []),
    ...measurements.map((one) => every(one.sweeps, `measure-${one.name}`, () => storeMeasurement(slow.db, one))),
    ...makeRetentionTasks(deps),
  ];
}

function makeRetentionTasks(deps: Deps): ScheduledTask[] {
  const { UNFINISHED_S } = deps.config;
  const slow = { ...deps, db: deps.maintenanceDb };
  const every = makeTask(deps.config);
  return [
    every(2, 'expire-jobs', () => expireJobs(deps)),
    every(12, 'expire-batches', () => expireBatches(deps)),
    every(12, 'delete-previews', () => deletePreviewRows(slow.db)),
    every(120, 'delete-orphan-objects', () => deleteOrphanObjects(slow, UNFINISHED_S)),
    every(120, 'delete-expired-sessions', () => deleteExpiredSessions(slow.db)),
    every(120, 'delete-idempotency-keys', () => deleteExpiredKeys(slow.db)),
    every(120, 'delete-result-targets', () => deleteOrphanedTargets(slow.db, retention.failedSourceMinutes * 60)),
    every(120, 'delete-image-urls', () => deleteOldImages(slow.db, imageUrlRules.entryDays * 86_400)),
    every(120, 'delete-account-tokens', () => deleteExpiredAccountTokens(slow.db)),
    every(120, 'delete-invitations', () => deleteOldInvitations(slow.db, limits.expiredInvitationDays * 86_400)),
    every(120, 'delete-passkey-challenges', () => deleteExpiredPasskeyChallenges(slow.db)),
    every(120, 'delete-attempts', () => deleteOldAttempts(slow.db)),
    every(120, 'delete-devices', () => deleteOldDevices(slow.db, limits.deviceDays * 86_400)),
    every(120, 'delete-account-views', () => deleteOldViews(slow)),
    every(120, 'delete-events', () => deleteOldEvents(slow)),
    every(120, 'delete-stripe-events', () => deleteOldStripeEvents(slow.db, oldStripeEventS)),
    every(120, 'delete-stripe-checks', () => deleteOldStripeChecks(slow.db, oldStripeEventS)),
    every(120, 'delete-access-events', () => deleteOldAccessData(slow.db, accessLogLimits.days * 86_400)),
    every(120, 'delete-batches', () => deleteOldBatches(slow)),
    every(120, 'delete-rejected-images', () => deleteOldRejectedImages(slow.db, retention.usageRowDays * 86_400)),
    every(120, 'delete-workers', () => deleteSilentWorkers(slow.db)),
    every(120, 'delete-old-content', () => deleteOldContent(slow)),
    every(120, 'delete-old-media', () => deleteOldMedia(slow)),
    every(120, 'delete-tickets', () => deleteOldTickets(slow)),
    every(120, 'delete-subscribers', () => deleteExpiredSubscriptions(slow.db)),
    every(120, 'delete-probes', () => deleteOldProbes(slow.db, statusRules.probeDays * 86_400)),
    every(120, 'delete-mails', () => deleteOldOutbox(slow.db, oldMailS)),
  ];
}

/** Creates the tasks that run in every dispatcher. They claim single rows with `SKIP LOCKED` and need no lease. */
export const makeSharedTasks = (deps: Deps): ScheduledTask[] => [
  { name: 'run-account-tasks', everyS: deps.config.SWEEP_S, run: () => makeExports(deps) },
  { name: 'send-mails', everyS: Math.min(1, deps.config.SWEEP_S), run: deps.sendMails },
  // Separate from other emails, because they must not wait for thousands of campaign emails.
  { name: 'send-campaigns', everyS: Math.min(1, deps.config.SWEEP_S), run: deps.sendCampaigns },
];
