import type { Deps } from './deps.ts';
import type { ScheduledTask } from './open-task-scheduler.ts';

/** Sweeps of an hour, at the default SWEEP_S of 5 seconds. */
const hourlySweeps = 720;

type StripeTasks = { tasks: ScheduledTask[]; close: () => void };

/** Opens the scheduled tasks that make requests to Stripe. There are none without Stripe's keys. */
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
