import { expect, it } from 'vitest';
import {
  amountRange,
  arePacksSynced,
  areYearlyPricesSynced,
  describeYearlyChanges,
  findPackState,
  findYearlyState,
  parseAmount,
  parseYearlyPrices,
  toInputValue,
} from './prices.ts';
import { makePackKey, upsertPack } from './prices-page.tsx';

const none = { pro: null, api_basic: null, api_pro: null, enterprise: null };
const pack = { key: 'ai_50', units: 50, meter: 'ai', amount: 900 } as const;
const card = { key: 'ai_50', units: 50, meter: 'ai', price: 9 } as const;

it('parses prices in the range that may be saved, and shows them as typed', () => {
  expect(amountRange).toEqual({ min: 50, max: 10_000_000 });
  expect(['70', '$7.50', '0.50', '100,000'].map(parseAmount)).toEqual([7_000, 750, 50, 10_000_000]);
  expect(['0.49', '100,000.01', '', 'seven'].map(parseAmount)).toEqual([undefined, undefined, undefined, undefined]);
  expect([null, 7_000, 750].map(toInputValue)).toEqual(['', '70', '7.50']);
});

it('describes changed yearly prices only', () => {
  const before = { pro: 7_000, api_basic: 19_000, api_pro: null, enterprise: null };
  const after = parseYearlyPrices({ pro: '69.50', api_basic: '', api_pro: '', enterprise: '' });
  expect(after).toEqual({ pro: 6_950, api_basic: null, api_pro: null, enterprise: null });
  expect(describeYearlyChanges(before, after)).toEqual(['Pro: $69.50 per year', 'API Basic: no longer sold yearly']);
  expect(describeYearlyChanges(before, before)).toEqual([]);
});

it('gives each new pack its own key, and keeps that of a changed one', () => {
  expect(makePackKey([], pack)).toBe('ai_50');
  expect(makePackKey([pack, { ...pack, key: 'ai_50_2' }], pack)).toBe('ai_50_3');
  const changed = upsertPack([pack], { ...pack, units: 60 });
  expect(changed).toEqual([{ ...pack, units: 60 }]);
  expect(upsertPack(changed, { ...pack, key: null })).toHaveLength(2);
});

it('says which prices Stripe has', () => {
  const offers = [{ key: 'pro', yearly: { price: 69.5, priceId: 'price_1' } }] as const;
  expect(findYearlyState({ ...none, pro: 6_950 }, 'pro', offers)).toBe('on_sale');
  expect(findYearlyState({ ...none, pro: 7_000 }, 'pro', offers)).toBe('syncing');
  expect(findYearlyState(none, 'pro', offers)).toBe('syncing');
  expect(findYearlyState(none, 'api_pro', offers)).toBe('off');
  expect(findPackState(pack, [card])).toBe('on_sale');
  expect(findPackState({ ...pack, amount: 950 }, [card])).toBe('syncing');
  expect(findPackState(pack, [])).toBe('syncing');
});

it('is synchronized once everything saved is on sale, and nothing else', () => {
  expect(arePacksSynced([pack], [card])).toBe(true);
  expect(arePacksSynced([], [card])).toBe(false);
  expect(arePacksSynced([pack], [])).toBe(false);
  expect(areYearlyPricesSynced(none, [{ key: 'pro', yearly: null }])).toBe(true);
  expect(areYearlyPricesSynced(none, [{ key: 'pro', yearly: { price: 1, priceId: 'a' } }])).toBe(false);
});
