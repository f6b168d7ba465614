import { randomUUID } from 'node:crypto';
import { withCatalogLock } from '@uprez/db/locks';
import {
  listPricedProducts,
  listUsedPrices,
  type PackPriceRow,
  type PlanPriceRow,
  replacePrices,
} from '@uprez/db/queries/billing/prices';
import { findInstanceFact, setInstanceFact } from '@uprez/db/queries/instance/instance';
import {
  createPrice,
  createProduct,
  findProduct,
  listActivePrices,
  listPricesByLookupKey,
  type NewPrice,
  type Price,
  type Product,
  type ProductInput,
  setPriceActive,
  updateProduct,
} from '@uprez/payments/catalog';
import { PaymentError } from '@uprez/payments/payment-error';
import type { Needs } from '../context.ts';
import {
  type CatalogPack,
  type CatalogPlan,
  catalogFact,
  currency,
  digestOf,
  lookupKeyOf,
  packLookupKey,
  packProductId,
  productIdOf,
  readCatalog,
} from './catalog.ts';
import { ensureStripeAccount } from './ensure-stripe-account.ts';

type CatalogContext = Needs<'db' | 'payments'>;
type SyncOptions = { catalog?: readonly CatalogPlan[]; packs?: readonly CatalogPack[]; onChange: OnChange };

/**
 * Makes Stripe's products and prices and the table `prices` match the catalog. Safe to repeat after any failed call.
 * Concurrent runs wait for each other. Throws PaymentError, or an Error if the database belongs to another Stripe
 * account.
 */
export const syncCatalog = (
  ctx: CatalogContext,
  { onChange, ...given }: SyncOptions,
): Promise<{ account: string; prices: number }> =>
  withCatalogLock(ctx.db, async () => {
    const account = await ensureStripeAccount(ctx);
    const stored = await readCatalog(ctx.db);
    const { catalog: plans = stored.plans, packs = stored.packs } = given;
    const planPrices: PlanPriceRow[] = [];
    for (const plan of plans) planPrices.push(...(await ensurePlan(ctx, plan, onChange)));
    const packPrices: PackPriceRow[] = [];
    for (const pack of packs) packPrices.push(await ensurePack(ctx, pack, onChange));
    await ctx.db.transaction().execute(async (tx) => {
      await replacePrices(tx, 'tier', planPrices);
      await replacePrices(
        tx,
        'pack',
        packPrices.map((price) => ({ ...price, interval: 'once' })),
      );
    });
    // Archives old prices only now, because customers can buy a price as long as the table contains it.
    const prices = [...planPrices, ...packPrices];
    // Keeps prices that are in use, because Stripe rejects changes that name an archived price, even if it is only the
    // current phase of a downgrade.
    const keptIds = [...prices.map(({ id }) => id), ...(await listUsedPrices(ctx.db))];
    for (const productId of await listProducts(ctx)) await archivePrices(ctx, { productId, keptIds }, onChange);
    await setInstanceFact(ctx.db, catalogFact, digestOf({ plans, packs }));
    return { account, prices: prices.length };
  });

/**
 * Synchronizes the catalog if it has changed since the last sync, for example because settings were saved. Returns how
 * many changes were made at Stripe.
 */
export async function syncChangedCatalog(ctx: CatalogContext): Promise<number> {
  const digest = digestOf(await readCatalog(ctx.db));
  if ((await findInstanceFact(ctx.db, catalogFact)) === digest) return 0;
  let changes = 0;
  await syncCatalog(ctx, {
    onChange: () => {
      changes += 1;
    },
  });
  return changes;
}

async function listProducts({ db }: Needs<'db'>): Promise<string[]> {
  return [
    ...(await listPricedProducts(db, 'tier')).map(productIdOf),
    ...(await listPricedProducts(db, 'pack')).map(packProductId),
  ];
}

async function ensurePlan(
  ctx: Needs<'payments'>,
  { tier, prices, name, description }: CatalogPlan,
  onChange: OnChange,
): Promise<PlanPriceRow[]> {
  const productId = productIdOf(tier);
  await ensureProduct(ctx, { productId, name, description }, onChange);
  const rows: PlanPriceRow[] = [];
  for (const price of prices) {
    const { interval, planVersion, amount } = price;
    const lookupKey = lookupKeyOf(tier, price);
    const wanted = { productId, amount, currency, interval, lookupKey, sold: { tier, planVersion } };
    rows.push({ id: await ensurePrice(ctx, wanted, onChange), tier, currency, lookupKey, ...price });
  }
  return rows;
}

async function ensurePack(ctx: Needs<'payments'>, pack: CatalogPack, onChange: OnChange): Promise<PackPriceRow> {
  const { key, name, description, units, meter, amount } = pack;
  const productId = packProductId(key);
  await ensureProduct(ctx, { productId, name, description }, onChange);
  const lookupKey = packLookupKey(pack);
  const wanted = { productId, amount, currency, interval: 'once', lookupKey, sold: { pack: key } } as const;
  const id = await ensurePrice(ctx, wanted, onChange);
  return { id, pack: key, packUnits: units, packMeter: meter, amount, currency, lookupKey };
}

/**
 * Archives a product's prices at Stripe, except those in `keptIds`. Skips prices that the owner added at Stripe by
 * hand.
 */
async function archivePrices(
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

type WantedProduct = Omit<ProductInput, 'idempotencyKey'>;

async function ensureProduct(
  ctx: Needs<'payments'>,
  { productId, name, description }: WantedProduct,
  onChange: OnChange,
): Promise<void> {
  const input = { productId, name, description, idempotencyKey: makeCallKey() };
  const change = { object: 'product', id: productId, name } as const;
  const existing = await findProduct(ctx.payments, productId);
  if (!existing && (await tryCreateProduct(ctx, input))) return onChange({ ...change, change: 'created' });
  if (existing && isSameProduct(existing, input)) return;
  await updateProduct(ctx.payments, { ...input, idempotencyKey: makeCallKey() });
  onChange({ ...change, change: 'updated' });
}

const isSameProduct = (product: Product, { name, description }: ProductInput) =>
  product.isActive && product.name === name && product.description === description;

/** Returns false if another installation that shares the Stripe account created it first. */
async function tryCreateProduct({ payments }: Needs<'payments'>, input: ProductInput): Promise<boolean> {
  try {
    await createProduct(payments, input);
    return true;
  } catch (error) {
    if (error instanceof PaymentError && error.info.code === 'resource_already_exists') return false;
    throw error;
  }
}

type WantedPrice = Omit<NewPrice, 'idempotencyKey'>;

/** Finds a price by its lookup key and reactivates it if it is archived, or creates it. Returns its ID. */
async function ensurePrice({ payments }: Needs<'payments'>, wanted: WantedPrice, onChange: OnChange): Promise<string> {
  const report = (id: string, change: 'created' | 'restored') =>
    onChange({ change, object: 'price', id, name: wanted.lookupKey });
  const find = async () => (await listPricesByLookupKey(payments, [wanted.lookupKey]))[0];
  const create = async () => {
    try {
      const price = await createPrice(payments, { ...wanted, idempotencyKey: makeCallKey() });
      report(price.id, 'created');
      return price;
    } catch (error) {
      // Another installation that shares the Stripe account may have created the price first.
      const other = error instanceof PaymentError && error.kind === 'invalid_request' ? await find() : undefined;
      if (other) return other;
      throw error;
    }
  };
  const price = (await find()) ?? (await create());
  requireMatchingPrice(price, wanted);
  if (!price.isActive) {
    await setPriceActive(payments, { priceId: price.id, isActive: true, idempotencyKey: makeCallKey() });
    report(price.id, 'restored');
  }
  return price.id;
}

function requireMatchingPrice(price: Price, wanted: WantedPrice): void {
  const names = ['productId', 'amount', 'currency', 'interval'] as const;
  const differing = names.filter((name) => price[name] !== wanted[name]);
  if (differing.length === 0) return;
  throw new Error(
    `The price ${price.id} at Stripe has the lookup key ${wanted.lookupKey}, but another ${differing.join(' and ')}. Remove its lookup key at Stripe, and run the sync again.`,
  );
}

/** `id`: Stripe's ID. `name`: the product's name or the price's lookup key. */
export type CatalogChange = {
  change: 'created' | 'updated' | 'archived' | 'restored';
  object: 'product' | 'price';
  id: string;
  name: string;
};
type OnChange = (change: CatalogChange) => void;

/**
 * Returns an idempotency key for one call, which only covers a retry after a lost response. The key isn't stored,
 * because product IDs and lookup keys keep a repeated run from creating duplicates.
 */
const makeCallKey = (): string => `billing-sync:${randomUUID()}`;
