import { Migrator, NO_MIGRATIONS } from 'kysely';
import type { Db } from './database.ts';
import { withMigrationLock } from './locks.ts';
import { firstTables } from './migrations/0001-first-tables.ts';
import { accounts } from './migrations/0002-accounts.ts';
import { metering } from './migrations/0003-metering.ts';
import { publicApi } from './migrations/0004-public-api.ts';
import { scheduledTasks } from './migrations/0005-scheduled-tasks.ts';
import { jobLeases } from './migrations/0006-job-leases.ts';
import { batchPages } from './migrations/0007-batch-pages.ts';
import { attemptSeconds } from './migrations/0008-attempt-seconds.ts';
import { chargedCancels } from './migrations/0009-charged-cancels.ts';
import { failureCauses } from './migrations/0010-failure-causes.ts';
import { estimatedSeconds } from './migrations/0011-estimated-seconds.ts';
import { quotaEmails } from './migrations/0012-quota-emails.ts';
import { batchEmails } from './migrations/0013-batch-emails.ts';
import { passkeys } from './migrations/0014-passkeys.ts';
import { prices } from './migrations/0015-prices.ts';
import { stripeEvents } from './migrations/0016-stripe-events.ts';
import { billingMirror } from './migrations/0017-billing-mirror.ts';
import { settledPlans } from './migrations/0018-settled-plans.ts';
import { billingCalls } from './migrations/0019-billing-calls.ts';
import { paidCycles } from './migrations/0019-paid-cycles.ts';
import { payments } from './migrations/0020-payments.ts';
import { coupons } from './migrations/0022-coupons.ts';
import { planChanges } from './migrations/0023-plan-changes.ts';
import { paymentLists } from './migrations/0024-payment-lists.ts';
import { packInvoices } from './migrations/0025-pack-invoices.ts';
import { paymentCards } from './migrations/0025-payment-cards.ts';
import { checkoutLinks } from './migrations/0026-checkout-links.ts';
import { stripeEventSearch } from './migrations/0026-stripe-event-search.ts';
import { callKinds } from './migrations/0027-call-kinds.ts';
import { roles } from './migrations/0027-roles.ts';
import { stepUp } from './migrations/0028-step-up.ts';
import { invitations } from './migrations/0029-invitations.ts';
import { userLists } from './migrations/0030-user-lists.ts';
import { accountViews } from './migrations/0032-account-views.ts';
import { auditLog } from './migrations/0033-audit-log.ts';
import { accessLog } from './migrations/0034-access-log.ts';
import { serviceKeys } from './migrations/0035-service-keys.ts';
import { settingsVersions } from './migrations/0036-settings-versions.ts';
import { jobOperations } from './migrations/0037-job-operations.ts';
import { analytics } from './migrations/0038-analytics.ts';
import { timeRanges } from './migrations/0039-time-ranges.ts';
import { monthIndex } from './migrations/0040-month-index.ts';
import { movedSources } from './migrations/0041-moved-sources.ts';
import { analyticsCorrections } from './migrations/0042-analytics-corrections.ts';
import { securityLogs } from './migrations/0043-security-logs.ts';
import { articles } from './migrations/0044-articles.ts';
import { tickets } from './migrations/0046-tickets.ts';
import { help } from './migrations/0047-help.ts';
import { status } from './migrations/0048-status.ts';
import { timeMonths } from './migrations/0049-time-months.ts';
import { media } from './migrations/0050-media.ts';
import { newsletter } from './migrations/0051-newsletter.ts';
import { legalVersions } from './migrations/0052-legal-versions.ts';
import { searchIndexes } from './migrations/0053-search-indexes.ts';
import { subscriberMailboxes } from './migrations/0054-subscriber-mailboxes.ts';
import { keptMedia } from './migrations/0055-kept-media.ts';
import { imageUrls } from './migrations/0056-image-urls.ts';
import { resultDeliveries } from './migrations/0057-result-deliveries.ts';
import { queueHeads } from './migrations/0059-queue-heads.ts';
import { jobTraces } from './migrations/0060-job-traces.ts';
import { workerPools } from './migrations/0061-worker-pools.ts';
import { auditAccounts } from './migrations/0062-audit-accounts.ts';
import { helpWords } from './migrations/0063-help-words.ts';
import { withdrawnLegalVersions } from './migrations/0064-withdrawn-legal-versions.ts';
import { canceledMaintenance } from './migrations/0065-canceled-maintenance.ts';
import { auditAccountIndex } from './migrations/0066-audit-account-index.ts';
import { repeatedJobs } from './migrations/0067-repeated-jobs.ts';
import { pausedBatches } from './migrations/0068-paused-batches.ts';
import { fillableAudits } from './migrations/0069-fillable-audits.ts';
import { keyOrigins } from './migrations/0070-key-origins.ts';
import { jobFacts } from './migrations/0073-job-facts.ts';
import { jobFactIndexes } from './migrations/0074-job-fact-indexes.ts';
import { lockedSignIns } from './migrations/0075-locked-sign-ins.ts';
import { keyOriginIndex } from './migrations/0076-key-origin-index.ts';
import { moneyBackCards } from './migrations/0080-money-back-cards.ts';
import { referenceIndexes } from './migrations/0081-reference-indexes.ts';
import { dailyCounts } from './migrations/0082-daily-counts.ts';
import { queueAccounts } from './migrations/0083-queue-accounts.ts';
import { queueIndexes } from './migrations/0083-queue-indexes.ts';
import { isConcurrent, isOnline, limitLocks, type Migrations, retryLocks } from './online-migrations.ts';

/** Every migration in order. The names are stored in the database: never rename one. */
export const migrations: Migrations = {
  '0001-first-tables': firstTables,
  '0002-accounts': accounts,
  '0003-metering': metering,
  '0004-public-api': publicApi,
  '0005-scheduled-tasks': scheduledTasks,
  '0006-job-leases': jobLeases,
  '0007-batch-pages': batchPages,
  '0008-attempt-seconds': attemptSeconds,
  '0009-charged-cancels': chargedCancels,
  '0010-failure-causes': failureCauses,
  '0011-estimated-seconds': estimatedSeconds,
  '0012-quota-emails': quotaEmails,
  '0013-batch-emails': batchEmails,
  '0014-passkeys': passkeys,
  '0015-prices': prices,
  '0016-stripe-events': stripeEvents,
  '0017-billing-mirror': billingMirror,
  '0018-settled-plans': settledPlans,
  '0019-billing-calls': billingCalls,
  '0019-paid-cycles': paidCycles,
  '0020-payments': payments,
  '0022-coupons': coupons,
  '0023-plan-changes': planChanges,
  '0024-payment-lists': paymentLists,
  '0025-pack-invoices': packInvoices,
  '0025-payment-cards': paymentCards,
  '0026-checkout-links': checkoutLinks,
  '0026-stripe-event-search': stripeEventSearch,
  '0027-call-kinds': callKinds,
  '0027-roles': roles,
  '0028-step-up': stepUp,
  '0029-invitations': invitations,
  '0030-user-lists': userLists,
  '0032-account-views': accountViews,
  '0033-audit-log': auditLog,
  '0034-access-log': accessLog,
  '0035-service-keys': serviceKeys,
  '0036-settings-versions': settingsVersions,
  '0037-job-operations': jobOperations,
  '0038-analytics': analytics,
  '0039-time-ranges': timeRanges,
  '0040-month-index': monthIndex,
  '0041-moved-sources': movedSources,
  '0042-analytics-corrections': analyticsCorrections,
  '0043-security-logs': securityLogs,
  '0044-articles': articles,
  '0046-tickets': tickets,
  '0047-help': help,
  '0048-status': status,
  '0049-time-months': timeMonths,
  '0050-media': media,
  '0051-newsletter': newsletter,
  '0052-legal-versions': legalVersions,
  '0053-search-indexes': searchIndexes,
  '0054-subscriber-mailboxes': subscriberMailboxes,
  '0055-kept-media': keptMedia,
  '0056-image-urls': imageUrls,
  '0057-result-deliveries': resultDeliveries,
  '0059-queue-heads': queueHeads,
  '0060-job-traces': jobTraces,
  '0061-worker-pools': workerPools,
  '0062-audit-accounts': auditAccounts,
  '0063-help-words': helpWords,
  '0064-withdrawn-legal-versions': withdrawnLegalVersions,
  '0065-canceled-maintenance': canceledMaintenance,
  '0066-audit-account-index': auditAccountIndex,
  '0067-repeated-jobs': repeatedJobs,
  '0068-paused-batches': pausedBatches,
  '0069-fillable-audits': fillableAudits,
  '0070-key-origins': keyOrigins,
  '0073-job-facts': jobFacts,
  '0074-job-fact-indexes': jobFactIndexes,
  '0075-locked-sign-ins': lockedSignIns,
  '0076-key-origin-index': keyOriginIndex,
  '0080-money-back-cards': moneyBackCards,
  '0081-reference-indexes': referenceIndexes,
  '0082-daily-counts': dailyCounts,
  '0083-queue-accounts': queueAccounts,
  '0083-queue-indexes': queueIndexes,
};

/**
 * Migrate to the newest version, or remove everything. Safe to run concurrently. Throws the first error. The first
 * migrations share a transaction; the others run one by one, because services of the former version run meanwhile.
 */
export const migrate = (
  db: Db,
  direction: 'latest' | 'down' = 'latest',
  all: Migrations = migrations,
): Promise<string[]> =>
  withMigrationLock(db, async () => {
    const run = makeRunner(db, all);
    if (direction === 'down') return run(NO_MIGRATIONS);
    const applied: string[] = [];
    for (const name of await listTargets(db, all)) {
      const step = () => run(name, isConcurrent(all[name]));
      applied.push(...(await (isOnline(name) ? retryLocks(step) : step())));
    }
    return applied;
  });

const makeProvider = (all: Migrations) => ({ getMigrations: () => Promise.resolve(limitLocks(all)) });

/** The names of pending migrations to migrate to, one after the other. */
async function listTargets(db: Db, all: Migrations): Promise<string[]> {
  const known = await new Migrator({ db, provider: makeProvider(all) }).getMigrations();
  const pending = known.filter(({ executedAt }) => !executedAt).map(({ name }) => name);
  const shared = pending.filter((name) => !isOnline(name)).slice(-1);
  return [...shared, ...pending.filter(isOnline)];
}

const makeRunner =
  (db: Db, all: Migrations) =>
  async (target: string | typeof NO_MIGRATIONS, disableTransactions = false): Promise<string[]> => {
    const migrator = new Migrator({ db, provider: makeProvider(all), disableTransactions });
    const { error, results } = await migrator.migrateTo(target);
    if (error) throw error;
    return (results ?? []).map((result) => result.migrationName);
  };
