import { PaymentError } from '@uprez/payments/payment-error';
import { expect, it } from 'vitest';
import { computeRetryDelayS } from './stripe-errors.ts';

it('doubles the delay with each failure, up to an hour', () => {
  const error = new PaymentError('unreachable');
  expect([0, 1, 2, 9, 10, 1_000].map((failures) => computeRetryDelayS(error, failures))).toEqual([
    5, 10, 20, 2_560, 3_600, 3_600,
  ]);
});

it('waits as long as Stripe asks', () => {
  expect(computeRetryDelayS(new PaymentError('rate_limited', { retryAfterMs: 30_000 }), 0)).toBe(30);
  expect(computeRetryDelayS(new PaymentError('rate_limited', { retryAfterMs: 1_000 }), 0)).toBe(5);
});
