import { expect, it } from 'vitest';
import { billingMessages } from '../messages.ts';
import { findPack, findPurchaseState, omitReturnParams, readPurchaseReturn } from './purchase-return.ts';

const read = (query: string) => readPurchaseReturn(new URLSearchParams(query));

it('reads returns from the hosted page and from the form', () => {
  expect(read('checkout=cs_1')).toEqual({ checkout: 'cs_1', hasFailed: false });
  expect(read('payment_intent=pi_1&redirect_status=succeeded')).toEqual({ hasFailed: false });
  expect(read('setup_intent=seti_1&redirect_status=failed')).toEqual({ hasFailed: true });
  expect(read('tab=activity')).toBeUndefined();
  expect(read('checkout=')).toBeUndefined();
});

it('removes what the provider added, secrets included, and nothing else', () => {
  const query = 'tab=activity&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded';
  expect(String(omitReturnParams(new URLSearchParams(query)))).toBe('tab=activity');
});

it('believes the account, not the address', () => {
  const subscription = (badge: 'active' | 'pending' | 'incomplete') =>
    ({ subscription: { badge } }) as Parameters<typeof findPurchaseState>[0];
  const said = { hasFailed: false };
  expect(findPurchaseState({ subscription: null, packs: [] }, said)).toBe('waiting');
  expect(findPurchaseState(subscription('incomplete'), said)).toBe('waiting');
  expect(findPurchaseState(subscription('pending'), said)).toBe('processing');
  expect(findPurchaseState(subscription('active'), said)).toBe('active');
  expect(findPurchaseState(subscription('incomplete'), { hasFailed: true })).toBe('failed');
  expect(findPurchaseState(subscription('active'), { hasFailed: true })).toBe('active');
});

it('finds the pack of the session, not another one or the plan of the account', () => {
  const returned = read('purchase=pack&checkout=cs_2');
  expect(returned).toEqual({ checkout: 'cs_2', isPack: true, hasFailed: false });
  if (!returned) return;
  const pack = { units: 50, left: 50, reversed: 0, meter: 'ai', boughtAt: '2026-11-01T00:00:00Z' } as const;
  const subscription = { badge: 'active' } as Parameters<typeof findPurchaseState>[0]['subscription'];
  const before = { subscription, packs: [{ ...pack, checkout: 'cs_1' }] };
  expect(findPurchaseState(before, returned)).toBe('waiting');
  const after = { subscription: null, packs: [{ ...pack, checkout: 'cs_2' }, ...before.packs] };
  expect(findPurchaseState(after, returned)).toBe('active');
  const found = findPack(after, returned);
  expect(found && billingMessages.payment.packAdded(found).description).toBe('50 AI images added to your account.');
  expect(findPack(after, { checkout: 'cs_2', hasFailed: false })).toBeUndefined();
  expect(String(omitReturnParams(new URLSearchParams('purchase=pack&checkout=cs_2&tab=activity')))).toBe(
    'tab=activity',
  );
});
