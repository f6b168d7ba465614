import { withCatalogLock } from '@uprez/db/locks';
import type { PackPriceRow } from '@uprez/db/queries/billing/pack-prices';
import { listPriced, listUsedPrices, type PlanPriceRow, replacePrices } from '@uprez/db/queries/billing/prices';
import { findInstanceFact, setInstanceFact } from '@uprez/db/queries/instance/instance';
import type { Needs } from '../context.ts';
import { archivePrices } from './archive-prices.ts';
import { type CatalogPlan, currency, lookupKeyOf, productIdOf } from './catalog.ts';
import type { OnChange } from './catalog-change.ts';
import { ensurePrice } from './ensure-price.ts';
import { ensureProduct } from './ensure-product.ts';
import { ensureStripeAccount } from './ensure-stripe-account.ts';
import { type CatalogPack, packLookupKey, packProductId } from './packs/pack-catalog.ts';
import { catalogFact, digestOf, readCatalog } from './read-catalog.ts';

type SyncContext = Needs<'db' | 'payments'>;
type SyncOptions = { catalog?: readonly CatalogPlan[]; packs?: readonly CatalogPack[]; onChange: OnChange };

/**
 * Makes the products and prices at Stripe, and the table `prices`, those of the catalog. Safe to repeat after every call that
 * failed. Runs wait for each other. Throws PaymentError, and an error if the database belongs to another account.
 */
export const syncCatalog = (
  ctx: SyncContext,
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
    // Last: a former price can be bought until the table no longer names it.
    const prices = [...planPrices, ...packPrices];
    // Stripe rejects changes that name an archived price, also as the current phase of a downgrade.
    const keptIds = [...prices.map(({ id }) => id), ...(await listUsedPrices(ctx.db))];
    for (const productId of await listProducts(ctx)) await archivePrices(ctx, { productId, keptIds }, onChange);
    await setInstanceFact(ctx.db, catalogFact, digestOf({ plans, packs }));
    return { account, prices: prices.length };
  });

/** Synchronizes the catalog if it changed since the last sync, such as by saved settings. Returns the number of changes. */
export async function syncChangedCatalog(ctx: SyncContext): Promise<number> {
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

/** The products that have or had prices. */
async function listProducts({ db }: Needs<'db'>): Promise<string[]> {
  return [...(await listPriced(db, 'tier')).map(productIdOf), ...(await listPriced(db, 'pack')).map(packProductId)];
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
