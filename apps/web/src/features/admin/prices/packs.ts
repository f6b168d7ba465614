import type { BillingSettings, Pack } from '@uprez/contracts/schemas/settings';

type Packs = BillingSettings['packs'];

/** A key that no other pack has, such as `ai_50`. Stripe's products are named by it, so it never changes. */
export function makePackKey(packs: Packs, { units, meter }: Pick<Pack, 'units' | 'meter'>): string {
  const keys = new Set(packs.map(({ key }) => key));
  const base = `${meter}_${units}`;
  let key = base;
  for (let number = 2; keys.has(key); number += 1) key = `${base}_${number}`;
  return key;
}

/** The packs with one changed, or added if it has no key. */
export const putPack = (packs: Packs, { key, ...pack }: Omit<Pack, 'key'> & { key: string | null }): Packs =>
  packs.some((one) => one.key === key)
    ? packs.map((one) => (one.key === key ? { key: one.key, ...pack } : one))
    : [...packs, { key: makePackKey(packs, pack), ...pack }];
