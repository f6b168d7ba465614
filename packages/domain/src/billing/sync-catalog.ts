import { withCatalogLock } from '@uprez/db/locks';
import { listPricedTiers, type PlanPriceRow, replacePlanPrices } from '@uprez/db/queries/billing/prices';
import type { Needs } from '../context.ts';
import { archivePrices } from './archive-prices.ts';
import { type CatalogPlan, currency, lookupKeyOf, makeCatalog, productIdOf } from './catalog.ts';
import type { OnChange } from './catalog-change.ts';
import { ensurePrice } from './ensure-price.ts';
import { ensureProduct } from './ensure-product.ts';
import { ensureStripeAccount } from './ensure-stripe-account.ts';

type SyncOptions = { catalog?: readonly CatalogPlan[]; onChange: OnChange };

/**
 * Makes the products and prices at Stripe, and the table `prices`, those of the catalog. Safe to repeat after every call that
 * failed. Runs wait for each other. Throws PaymentError, and an error if the database belongs to another account.
 */
export const syncCatalog = (
  ctx: Needs<'db' | 'payments'>,
  { catalog = makeCatalog(), onChange }: SyncOptions,
): Promise<{ account: string; prices: number }> =>
  withCatalogLock(ctx.db, async () => {
    const account = await ensureStripeAccount(ctx);
    const prices: PlanPriceRow[] = [];
    for (const plan of catalog) {
      await ensureProduct(ctx, plan, onChange);
      prices.push(...(await ensurePrices(ctx, plan, onChange)));
    }
    await ctx.db.transaction().execute((tx) => replacePlanPrices(tx, prices));
    // Last: a former price can be bought until the table no longer names it.
    const keptIds = prices.map(({ id }) => id);
    for (const tier of await listPricedTiers(ctx.db)) await archivePrices(ctx, { tier, keptIds }, onChange);
    return { account, prices: prices.length };
  });

async function ensurePrices(
  ctx: Needs<'payments'>,
  { tier, prices }: CatalogPlan,
  onChange: OnChange,
): Promise<PlanPriceRow[]> {
  const rows: PlanPriceRow[] = [];
  for (const price of prices) {
    const { interval, planVersion, amount } = price;
    const lookupKey = lookupKeyOf(tier, price);
    const wanted = { productId: productIdOf(tier), amount, currency, interval, lookupKey, sold: { tier, planVersion } };
    rows.push({ id: await ensurePrice(ctx, wanted, onChange), tier, currency, lookupKey, ...price });
  }
  return rows;
}
