import { PaymentError } from '@uprez/payments/payment-error';
import { createPrice, listPricesByLookupKey, type NewPrice, type Price, setPriceActive } from '@uprez/payments/prices';
import type { Needs } from '../context.ts';
import { makeCallKey, type OnChange } from './catalog-change.ts';

/** What a price must be. */
export type WantedPrice = Omit<NewPrice, 'idempotencyKey'>;

/** Creates a price, or finds it by its lookup key and restores it. Returns its ID. */
export async function ensurePrice(
  { payments }: Needs<'payments'>,
  wanted: WantedPrice,
  onChange: OnChange,
): Promise<string> {
  const report = (id: string, change: 'created' | 'restored') =>
    onChange({ change, object: 'price', id, name: wanted.lookupKey });
  const find = async () => (await listPricesByLookupKey(payments, [wanted.lookupKey]))[0];
  const create = async () => {
    try {
      const price = await createPrice(payments, { ...wanted, idempotencyKey: makeCallKey() });
      report(price.id, 'created');
      return price;
    } catch (error) {
      // Another installation that shares the account was first.
      const other = error instanceof PaymentError && error.kind === 'invalid_request' ? await find() : undefined;
      if (other) return other;
      throw error;
    }
  };
  const price = (await find()) ?? (await create());
  requireSame(price, wanted);
  if (!price.isActive) {
    await setPriceActive(payments, { priceId: price.id, isActive: true, idempotencyKey: makeCallKey() });
    report(price.id, 'restored');
  }
  return price.id;
}

function requireSame(price: Price, wanted: WantedPrice): void {
  const names = ['productId', 'amount', 'currency', 'interval'] as const;
  const differing = names.filter((name) => price[name] !== wanted[name]);
  if (differing.length === 0) return;
  throw new Error(
    `The price ${price.id} at Stripe has the lookup key ${wanted.lookupKey}, but another ${differing.join(' and ')}. Remove its lookup key at Stripe, and run the sync again.`,
  );
}
