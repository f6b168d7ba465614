import type { Needs } from '@uprez/domain/context';
import { repeat } from '@uprez/runtime/repeat';
import type { Config } from './config.ts';

/** Customers that one dispatcher reads at once. Stripe allows 100 requests per second, and each takes longer than 0.1 s. */
const readers = 4;
/** Maximum time of the readers before the next poll. */
const runMs = 5_000;

type MirrorDeps = Needs<'db' | 'log'> & { config: Pick<Config, 'payments'> };

/**
 * Reads customers from Stripe after events, and stores what it says. Continues calls to Stripe that stayed open after a crash
 * or an error. Safe to run in several processes.
 */
export async function openStripeMirror(
  { db, log, config }: MirrorDeps,
  everyMs: number,
): Promise<{ close: () => Promise<void> }> {
  if (!config.payments) return { close: async () => {} };
  // Dispatchers without Stripe's keys don't load its SDK.
  const [{ openPayments }, { finishNextCall }, { finishers }, { mirrorNext }, { assignPaymentEvent }] =
    await Promise.all([
      import('@uprez/payments/open-payments'),
      import('@uprez/domain/billing/calls/finish-next-call'),
      import('@uprez/domain/billing/finishers'),
      import('@uprez/domain/billing/mirror/mirror-customer'),
      import('@uprez/domain/billing/mirror/assign-payment-event'),
    ]);
  const payments = openPayments(config.payments);
  const ctx = { db, log, payments };
  let isClosing = false;
  const readOne = async () =>
    (await finishNextCall(ctx, finishers)) || (await assignPaymentEvent(ctx)) || (await mirrorNext(ctx));
  const readAll = async (untilMs: number) => {
    while (!isClosing && performance.now() < untilMs && (await readOne()));
  };
  const poll = async () => {
    if (!(await readOne())) return;
    const untilMs = performance.now() + runMs;
    await Promise.all(Array.from({ length: readers }, () => readAll(untilMs)));
  };
  const polling = repeat(everyMs, poll, (error) => log.warn({ err: error }, 'reading customers from Stripe failed'));
  return {
    close: async () => {
      isClosing = true;
      await polling.close();
      payments.close();
    },
  };
}
