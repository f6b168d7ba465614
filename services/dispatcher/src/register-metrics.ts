import { sharedPool } from '@uprez/contracts/policy/admin/worker-pools';
import { tiers } from '@uprez/contracts/policy/plans/plans';
import { deliveryErrorNames } from '@uprez/contracts/schemas/webhook-events';
import { countBacklog } from '@uprez/db/queries/billing/billing-customers';
import { countDrift } from '@uprez/db/queries/billing/stripe-checks';
import { countQueuedJobs } from '@uprez/db/queries/jobs/queued-jobs';
import { readWorkerLoad } from '@uprez/db/queries/jobs/workers';
import type { SentAttempt } from '@uprez/domain/webhooks/send-next-delivery';
import type { Deps } from './deps.ts';

/**
 * Registers metrics for the queue: its length per plan, and the values that are used to scale workers. They are read at
 * each scrape.
 */
export function registerQueueMetrics({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): void {
  // Three metrics share one read of the queue per scrape.
  const readLoad = shareCalls(() => readWorkerLoad(db));
  metrics.gauge({ name: 'queue_jobs', help: 'Queued jobs by plan.', labels: ['plan'] }, async () => {
    const counts = new Map((await countQueuedJobs(db)).map(({ plan, count }) => [plan, count]));
    return [...tiers, 'visitor' as const].map((plan) => ({ labels: { plan }, value: counts.get(plan) ?? 0 }));
  });
  const load = {
    name: 'worker_load',
    help: 'Work for the workers of a pool: jobs that could start, jobs in progress, and images of the media library.',
  };
  metrics.gauge({ ...load, labels: ['pool', 'state'] }, async () =>
    (await readLoad()).flatMap(({ pool, waiting, running, media }) =>
      Object.entries({ waiting, running, ...(pool === null && { media }) }).map(([state, value]) => ({
        labels: { pool: pool ?? sharedPool, state },
        value,
      })),
    ),
  );
  const oldest = {
    name: 'queue_oldest_job_seconds',
    help: 'Time that the oldest job waits that workers of a pool could start, 0 if there is none.',
  };
  metrics.gauge({ ...oldest, labels: ['pool'] }, async () =>
    (await readLoad()).map(({ pool, oldestWaitS }) => ({
      labels: { pool: pool ?? sharedPool },
      value: oldestWaitS ?? 0,
    })),
  );
  const slots = {
    name: 'worker_slots',
    help: 'Slots of live workers of a pool that are not drained.',
  };
  metrics.gauge({ ...slots, labels: ['pool'] }, async () =>
    (await readLoad()).map(({ pool, slots: value }) => ({ labels: { pool: pool ?? sharedPool }, value })),
  );
}

/** Registers metrics for waiting customers, waiting Stripe events, and drift. They are counted at each scrape. */
export function registerBillingMetrics({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): void {
  const states = { name: 'stripe_customers', help: 'Customers that must be read from Stripe again.' };
  metrics.gauge({ ...states, labels: ['state'] }, async () => {
    const { pending, failing } = await countBacklog(db);
    return [
      { labels: { state: 'pending' }, value: pending },
      { labels: { state: 'failing' }, value: failing },
    ];
  });
  const age = {
    name: 'stripe_oldest_event_seconds',
    help: 'Age of the oldest pending Stripe event, 0 if there is none.',
  };
  metrics.gauge({ ...age, labels: [] }, async () => [{ labels: {}, value: (await countBacklog(db)).oldestS }]);
  const drift = { name: 'stripe_drift', help: 'What the latest comparison with Stripe found missing or different.' };
  metrics.gauge({ ...drift, labels: ['kind'] }, async () => {
    const { events, subscriptions } = await countDrift(db);
    return [
      { labels: { kind: 'events' }, value: events },
      { labels: { kind: 'subscriptions' }, value: subscriptions },
    ];
  });
  const doubled = { name: 'stripe_doubled_accounts', help: 'Accounts with more than one live subscription.' };
  metrics.gauge({ ...doubled, labels: [] }, async () => [
    { labels: {}, value: (await countDrift(db)).doubledAccounts },
  ]);
}

/** Registers the metrics of webhook deliveries. Returns a function that records an attempt. */
export function openWebhookMetrics({ metrics }: Pick<Deps, 'metrics'>): (attempt: SentAttempt) => void {
  const attempts = metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome.',
    labels: ['outcome'],
    initial: (['delivered', ...deliveryErrorNames] as const).map((outcome) => ({ outcome })),
  });
  const waits = metrics.histogram({
    name: 'webhook_wait_seconds',
    help: 'Time from a new delivery to its first attempt. Deliveries of a failing endpoint wait for each other.',
    labels: ['endpoint'],
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
    initial: [{ endpoint: 'working' }, { endpoint: 'failing' }],
  });
  return ({ outcome, waitedS, isFailing }) => {
    attempts.add({ outcome });
    if (waitedS !== undefined) waits.observe({ endpoint: isFailing ? 'failing' : 'working' }, waitedS);
  };
}

/**
 * Registers a counter for the items that scheduled tasks have processed, such as expired leases. Returns a function
 * that adds to it.
 */
export function openTaskMetrics({ metrics }: Pick<Deps, 'metrics'>): (task: string, count: number) => void {
  const items = metrics.counter({
    name: 'scheduled_task_items_total',
    help: 'Rows and files that scheduled tasks of this dispatcher changed, by task.',
    labels: ['task'],
    initial: [{ task: 'requeue-expired-leases' }],
  });
  return (task, count) => items.add({ task }, count);
}

/** Returns a function that shares one call among concurrent callers. */
export function shareCalls<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= call().finally(() => {
      running = undefined;
    });
    return running;
  };
}
