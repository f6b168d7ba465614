import type { Needs } from '@uprez/domain/context';
import type { Config } from './config.ts';

/** Readers of one dispatcher that Stripe replies to. */
const readers = 4;
/** Requests that one dispatcher begins in a second. Stripe allows 100 in live mode. */
const perSecond = 80;
/**
 * A reader that waits for a reply for longer than this makes room for another one. While Stripe is slower than that, at most
 * 8 requests per second are begun.
 */
const waitingMs = 500;
/** Limits the sockets and the memory of readers that wait. */
const maxReaders = 128;

type SyncDeps = Needs<'db' | 'log'> & { config: Pick<Config, 'payments'> };

/**
 * Reads customers from Stripe after events, and stores their state. Continues calls to Stripe that stayed open after a crash
 * or an error. Safe to run in several processes.
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
  /** Looks for another kind of work first each time, so that none waits for all work of another. */
  const readOne = async () => {
    const ordered = [...kinds.slice(firstKind), ...kinds.slice(0, firstKind)];
    firstKind = (firstKind + 1) % kinds.length;
    for (const runKind of ordered) if (await runKind()) return true;
    return false;
  };
  const readAll = async () => {
    // A reader that found work starts the next one.
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
