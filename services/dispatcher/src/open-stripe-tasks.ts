import type { Deps } from './deps.ts';
import type { ScheduledTask } from './open-task-scheduler.ts';

type StripeTasks = { tasks: ScheduledTask[]; close: () => void };

/** Opens the scheduled tasks that copy our coupons to Stripe. There are none without Stripe's keys. */
export async function openStripeTasks({ db, log, config }: Pick<Deps, 'db' | 'log' | 'config'>): Promise<StripeTasks> {
  if (!config.payments) return { tasks: [], close: () => {} };
  // Dispatchers without Stripe's keys don't load its SDK.
  const [{ openPayments }, { syncCoupons }] = await Promise.all([
    import('@uprez/payments/open-payments'),
    import('@uprez/domain/billing/coupons/sync-coupons'),
  ]);
  const payments = openPayments(config.payments);
  const ctx = { db, log, payments };
  const everyS = config.SWEEP_S;
  return {
    tasks: [{ name: 'sync-coupons', everyS, run: () => syncCoupons(ctx) }],
    close: () => payments.close(),
  };
}
