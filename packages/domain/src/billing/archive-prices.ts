import { listActivePrices, type Price, setPriceActive } from '@uprez/payments/prices';
import type { Needs } from '../context.ts';
import { makeCallKey, type OnChange } from './catalog-change.ts';

/** Archives the prices of a product at Stripe, except these. Prices that the owner added by hand stay. */
export async function archivePrices(
  { payments }: Needs<'payments'>,
  { productId, keptIds }: { productId: string; keptIds: readonly string[] },
  onChange: OnChange,
): Promise<void> {
  const active: Price[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await listActivePrices(payments, { productId, after });
    active.push(...page.items);
    after = page.next;
  }
  for (const { id, lookupKey } of active.filter((price) => price.isOurs && !keptIds.includes(price.id))) {
    await setPriceActive(payments, { priceId: id, isActive: false, idempotencyKey: makeCallKey() });
    onChange({ change: 'archived', object: 'price', id, name: lookupKey ?? productId });
  }
}
