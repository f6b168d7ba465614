import { expect, it } from 'vitest';
import { noteOfTransaction } from './describe-transaction.ts';

const paid = { failure: null, isDisputed: false, refunded: 0, currency: 'usd' };

it('names the refund of a payment, also beside a dispute', () => {
  expect(noteOfTransaction(paid)).toBeNull();
  expect(noteOfTransaction({ ...paid, refunded: 1_900 })).toBe('$19.00 refunded');
  expect(noteOfTransaction({ ...paid, isDisputed: true, refunded: 1_900 })).toBe('Disputed, $19.00 refunded');
  expect(noteOfTransaction({ ...paid, failure: 'Declined.' })).toBe('Declined.');
});
