import { tiers } from '@uprez/contracts/policy/plans/plans';
import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import { type IdempotentInput, makeCalls, type Page, type PageInput } from './transport/calls.ts';
import { appName, centsField, currencyField, idField, metadataField } from './transport/fields.ts';

export type Product = z.output<typeof productSchema>;
export type ProductInput = IdempotentInput & { productId: string; name: string; description: string };

const productSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    active: z.boolean(),
    metadata: metadataField,
  })
  .transform(({ id, name, description, active, metadata }) => ({
    id,
    name,
    description,
    isActive: active,
    isOurs: metadata.app === appName,
  }));
const productCalls = makeCalls(productSchema);

/** Creates a product with a fixed ID. Stripe rejects a duplicate with `resource_already_exists`. */
export function createProduct(payments: Payments, input: ProductInput): Promise<Product> {
  const { productId, name, description } = input;
  return productCalls.post(payments, input, (stripe, options) =>
    stripe.products.create({ id: productId, name, description, metadata: { app: appName } }, options),
  );
}

export const findProduct = (payments: Payments, productId: string): Promise<Product | undefined> =>
  productCalls.find(payments, (stripe) => stripe.products.retrieve(productId));

export function updateProduct(payments: Payments, input: ProductInput): Promise<Product> {
  const { productId, name, description } = input;
  return productCalls.post(payments, input, (stripe, options) =>
    stripe.products.update(productId, { name, description, active: true }, options),
  );
}

export type Price = z.output<typeof priceSchema>;
export type Interval = 'month' | 'year';
/** Product that a price is for: a version of a plan, or a pack. */
export type SoldProduct = { tier: (typeof tiers)[number]; planVersion: number } | { pack: string };

export const priceSchema = z
  .object({
    id: z.string(),
    product: idField,
    active: z.boolean(),
    unit_amount: centsField.nullable(),
    currency: currencyField,
    // Accepts any interval, because prices of other products in a shared account may recur weekly or every three
    // months.
    recurring: z.object({ interval: z.string(), interval_count: z.int() }).nullable(),
    lookup_key: z.string().nullable(),
    metadata: metadataField,
  })
  .transform(({ id, product, active, unit_amount, currency, recurring, lookup_key, metadata }) => ({
    id,
    productId: product,
    isActive: active,
    /** In cents. Null for tiered prices of other products. */
    amount: unit_amount,
    currency,
    interval: toInterval(recurring),
    lookupKey: lookup_key,
    isOurs: metadata.app === appName && product === productIdOf(metadata),
    tier: z.enum(tiers).safeParse(metadata.tier).data ?? null,
    planVersion: metadata.version === undefined ? null : Number(metadata.version),
    pack: metadata.pack ?? null,
  }));
const priceCalls = makeCalls(priceSchema);

/**
 * Returns the fixed ID of the product that a price is for. Metadata alone doesn't prove that a price is ours, because
 * copying a product in the Stripe account copies its metadata, but product IDs are unique.
 */
const productIdOf = ({ pack, tier }: Record<string, string>) =>
  pack === undefined ? `${appName}_${tier}` : `${appName}_pack_${pack}`;

function toInterval(recurring: { interval: string; interval_count: number } | null): Interval | 'once' | 'other' {
  if (!recurring) return 'once';
  const { interval, interval_count: count } = recurring;
  return count === 1 && (interval === 'month' || interval === 'year') ? interval : 'other';
}

export type NewPrice = IdempotentInput & {
  productId: string;
  /** In cents. */
  amount: number;
  currency: string;
  interval: Interval | 'once';
  lookupKey: string;
  sold: SoldProduct;
};

/** Creates a price. The amount excludes tax, which is added where it applies. */
export function createPrice(payments: Payments, input: NewPrice): Promise<Price> {
  const { productId, amount, currency, interval, lookupKey, sold } = input;
  return priceCalls.post(payments, input, (stripe, options) =>
    stripe.prices.create(
      {
        product: productId,
        unit_amount: amount,
        currency,
        ...(interval !== 'once' && { recurring: { interval } }),
        lookup_key: lookupKey,
        tax_behavior: 'exclusive',
        metadata: {
          app: appName,
          ...('pack' in sold ? { pack: sold.pack } : { tier: sold.tier, version: sold.planVersion }),
        },
      },
      options,
    ),
  );
}

/** Lists the prices for up to 10 lookup keys (Stripe's limit), including archived prices. */
export async function listPricesByLookupKey(payments: Payments, lookupKeys: readonly string[]): Promise<Price[]> {
  const { items } = await priceCalls.list(payments, {}, (stripe, page) =>
    stripe.prices.list({ lookup_keys: [...lookupKeys], ...page }),
  );
  return items;
}

/** Lists the prices at which a product can still be bought. */
export const listActivePrices = (
  payments: Payments,
  { productId, after }: PageInput & { productId: string },
): Promise<Page<Price>> =>
  priceCalls.list(payments, { after }, (stripe, page) =>
    stripe.prices.list({ product: productId, active: true, ...page }),
  );

/** Archives a price, or activates it again. Existing subscriptions keep an archived price. */
export function setPriceActive(
  payments: Payments,
  input: IdempotentInput & { priceId: string; isActive: boolean },
): Promise<Price> {
  const { priceId, isActive } = input;
  return priceCalls.post(payments, input, (stripe, options) =>
    stripe.prices.update(priceId, { active: isActive }, options),
  );
}
