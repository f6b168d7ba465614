import { expect, it } from 'vitest';
import { findPurchaseState, readReturn, withoutReturn } from './purchase-return.ts';

const read = (query: string) => readReturn(new URLSearchParams(query));

it('reads returns from the hosted page and from the form', () => {
  expect(read('checkout=cs_1')).toEqual({ checkout: 'cs_1', hasFailed: false });
  expect(read('payment_intent=pi_1&redirect_status=succeeded')).toEqual({ hasFailed: false });
  expect(read('setup_intent=seti_1&redirect_status=failed')).toEqual({ hasFailed: true });
  expect(read('tab=activity')).toBeUndefined();
  expect(read('checkout=')).toBeUndefined();
});

it('removes what the provider added, secrets included, and nothing else', () => {
  const query = 'tab=activity&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded';
  expect(String(withoutReturn(new URLSearchParams(query)))).toBe('tab=activity');
});

it('believes the account, not the address', () => {
  const subscription = (badge: 'active' | 'pending' | 'incomplete') =>
    ({ subscription: { badge } }) as Parameters<typeof findPurchaseState>[0];
  const said = { hasFailed: false };
  expect(findPurchaseState({ subscription: null }, said)).toBe('waiting');
  expect(findPurchaseState(subscription('incomplete'), said)).toBe('waiting');
  expect(findPurchaseState(subscription('pending'), said)).toBe('processing');
  expect(findPurchaseState(subscription('active'), said)).toBe('active');
  expect(findPurchaseState(subscription('incomplete'), { hasFailed: true })).toBe('failed');
  expect(findPurchaseState(subscription('active'), { hasFailed: true })).toBe('active');
});
