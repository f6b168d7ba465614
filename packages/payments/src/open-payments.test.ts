import { expect, it, onTestFinished } from 'vitest';
import { openFakeStripe } from '../test/support/open-fake-stripe.ts';
import { getStripeAccount } from './stripe-account.ts';

/** The time that requests take which begin at once. */
async function timeRequests(count: number, perSecond?: number): Promise<number> {
  const stripe = await openFakeStripe({ ...(perSecond && { perSecond }) });
  onTestFinished(stripe.close);
  stripe.reply({ body: { id: 'acct_1', charges_enabled: true } });
  const start = performance.now();
  await Promise.all(Array.from({ length: count }, () => getStripeAccount(stripe.payments)));
  expect(stripe.requests).toHaveLength(count);
  return performance.now() - start;
}

it('begins at most the given number of requests per second', async () => {
  // Timers may fire a millisecond early.
  expect(await timeRequests(6, 10)).toBeGreaterThanOrEqual(495);
  expect(await timeRequests(6, 1_000)).toBeLessThan(495);
});
