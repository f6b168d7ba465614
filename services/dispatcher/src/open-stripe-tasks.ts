import type { Deps } from './deps.ts';
import type { ScheduledTask } from './open-task-scheduler.ts';

type StripeTasks = { tasks: ScheduledTask[]; close: () => void };

/** Opens the scheduled tasks that make requests to Stripe. There are none without Stripe's keys. */
export async function openStripeTasks({ db, log, config }: Pick<Deps, 'db' | 'log' | 'config'>): Promise<StripeTasks> {
  if (!config.payments) return { tasks: [], close: () => {} };
  // Dispatchers without Stripe's keys don't load its SDK.
  const [{ openPayments }, { runLadder }, { syncCoupons }, { deleteLeftCustomers }] = await Promise.all([
    import('@uprez/payments/open-payments'),
    import('@uprez/domain/billing/ladder/run-ladder'),
    import('@uprez/domain/billing/coupons/sync-coupons'),
    import('@uprez/domain/billing/delete-left-customers'),
  ]);
  const payments = openPayments(config.payments);
  const ctx = { db, log, payments };
  const everyS = config.SWEEP_S;
  return {
    tasks: [
      { name: 'collect-unpaid', everyS, run: () => runLadder(ctx) },
      { name: 'sync-coupons', everyS, run: () => syncCoupons(ctx) },
      { name: 'delete-customers', everyS, run: () => deleteLeftCustomers(ctx) },
    ],
    close: () => payments.close(),
  };
}
