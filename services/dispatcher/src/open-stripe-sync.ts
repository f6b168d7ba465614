import type { Needs } from '@uprez/domain/context';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import type { ScheduledTask } from './open-task-scheduler.ts';

/** Readers of one dispatcher, not counting readers that have been waiting for longer than `waitingMs`. */
const readers = 4;
/** Maximum requests per second that one dispatcher starts. Stripe allows 100 in live mode. */
const perSecond = 80;
/**
 * A reader that has been waiting for a response for longer than this isn't counted toward `readers`. While all
 * responses take longer, a dispatcher starts at most 8 requests per second.
 */
const waitingMs = 500;
/** Maximum concurrent readers, including those that are waiting. Limits sockets and memory. */
const maxReaders = 128;

type SyncDeps = Needs<'db' | 'log'> & { config: Pick<Config, 'payments'> };

/**
 * Opens the sync that reads customers from Stripe after events and stores their state. It also continues calls to
 * Stripe that were left open by a crash or an error. Safe to run in several processes.
 */
export async function openStripeSync(
  { db, log, config }: SyncDeps,
  everyMs: number,
): Promise<{ close: () => Promise<void> }> {
  if (!config.payments) return { close: async () => {} };
  // Dispatchers without Stripe's keys don't load its SDK.
  const [{ openPayments }, { finishNextCall }, { finishers }, { syncNextCustomer }, { assignPaymentEvent }] =
    await Promise.all([
      import('@uprez/payments/open-payments'),
      import('@uprez/domain/billing/calls/finish-next-call'),
      import('@uprez/domain/billing/finishers'),
      import('@uprez/domain/billing/sync/sync-customer'),
      import('@uprez/domain/billing/sync/assign-payment-event'),
    ]);
  const payments = openPayments({ ...config.payments, perSecond });
  const ctx = { db, log, payments };
  const kinds = [() => finishNextCall(ctx, finishers), () => assignPaymentEvent(ctx), () => syncNextCustomer(ctx)];
  const running = new Set<Promise<void>>();
  let isClosing = false;
  let firstKind = 0;
  /** Starts with a different kind of work each time, because otherwise one kind could delay the others. */
  const readOne = async () => {
    const ordered = [...kinds.slice(firstKind), ...kinds.slice(0, firstKind)];
    firstKind = (firstKind + 1) % kinds.length;
    for (const runKind of ordered) if (await runKind()) return true;
    return false;
  };
  const readAll = async () => {
    // A reader that found work starts another reader.
    while (!isClosing && (await readOne())) startReader();
  };
  const startReader = () => {
    if (isClosing || running.size >= maxReaders) return;
    if (running.size - payments.countWaiting(waitingMs) >= readers) return;
    const reader = readAll()
      .catch((error: unknown) => log.warn({ err: error }, 'reading customers from Stripe failed'))
      .finally(() => running.delete(reader));
    running.add(reader);
  };
  const poll = () => {
    const wanted = running.size === 0 ? 1 : readers;
    for (let count = 0; count < wanted; count += 1) startReader();
  };
  poll();
  const polling = setInterval(poll, everyMs);
  return {
    close: async () => {
      isClosing = true;
      clearInterval(polling);
      await Promise.all(running);
      payments.close();
    },
  };
}

/** Sweeps per hour at the default SWEEP_S of 5 seconds. */
const hourlySweeps = 720;

type StripeTasks = { tasks: ScheduledTask[]; close: () => void };

/** Creates the scheduled tasks that make requests to Stripe. Returns none without Stripe's keys. */
export async function openStripeTasks({ db, log, config }: Pick<Deps, 'db' | 'log' | 'config'>): Promise<StripeTasks> {
  if (!config.payments) return { tasks: [], close: () => {} };
  const { stripeVerbs } = await import('./stripe-verbs.ts');
  const payments = stripeVerbs.openPayments(config.payments);
  const ctx = { db, log, payments };
  const every = (sweeps: number, name: string, run: () => Promise<unknown>) => ({
    name,
    everyS: sweeps * config.SWEEP_S,
    run,
  });
  return {
    tasks: [
      every(1, 'collect-unpaid', () => stripeVerbs.runDunning(ctx)),
      every(1, 'sync-catalog', () => stripeVerbs.syncChangedCatalog(ctx)),
      every(1, 'sync-coupons', () => stripeVerbs.syncCoupons(ctx)),
      every(1, 'cancel-leaving', () => stripeVerbs.cancelLeaving(ctx)),
      every(12, 'keep-staying', () => stripeVerbs.keepStaying(ctx)),
      every(12, 'sync-customer-emails', () => stripeVerbs.syncCustomerEmails(ctx)),
      every(12, 'delete-customers', () => stripeVerbs.deleteLeftCustomers(ctx)),
      every(hourlySweeps, 'sync-payment-methods', () => stripeVerbs.syncPaymentMethods(ctx)),
      every(hourlySweeps, 'pull-stripe-events', () => stripeVerbs.pullEvents(ctx)),
      every(24 * hourlySweeps, 'reconcile-subscriptions', () => stripeVerbs.reconcileSubscriptions(ctx)),
    ],
    close: () => payments.close(),
  };
}
