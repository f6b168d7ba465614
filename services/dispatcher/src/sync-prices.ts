import type { Db } from '@uprez/db/database';
import type { CatalogChange } from '@uprez/domain/billing/catalog-change';
import { syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { openPayments, type PaymentsOptions } from '@uprez/payments/open-payments';

/** Makes the products and prices at Stripe those of the plan table, and prints each change. Returns a summary. */
export async function syncPrices(db: Db, options: PaymentsOptions): Promise<string> {
  const payments = openPayments(options);
  let changes = 0;
  const onChange = (change: CatalogChange) => {
    changes += 1;
    console.log(`Stripe: ${describe(change)}`);
  };
  try {
    const { account, prices } = await syncCatalog({ db, payments }, { onChange });
    return `Stripe account ${account}: ${prices} prices on sale, ${changes} changes`;
  } finally {
    payments.close();
  }
}

const describe = ({ change, object, id, name }: CatalogChange) => `${change} the ${object} ${name} (${id})`;
