import type { BillingSettings } from '@uprez/contracts/schemas/settings';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { priceMessages as text } from '../../features/admin/prices/messages.ts';
import { PacksCard } from '../../features/admin/prices/packs-card.tsx';
import { TaxCard } from '../../features/admin/prices/tax-card.tsx';
import { useBillingSettings, useOnSale } from '../../features/admin/prices/use-prices.ts';
import { YearlyCard } from '../../features/admin/prices/yearly-card.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';

function Prices({ settings }: { settings: BillingSettings }) {
  const { plans, packs, hasKeys, isSynced } = useOnSale(settings);
  return (
    <>
      {hasKeys ? (
        <Notice kind="info">
          <p role="status">{isSynced ? `${text.synced} ${text.sync}` : text.syncing}</p>
        </Notice>
      ) : (
        <Notice kind="warning">{text.noKeys}</Notice>
      )}
      {/* Saved prices are shown as they were stored. */}
      <YearlyCard key={JSON.stringify(settings.yearly)} yearly={settings.yearly} cards={plans} />
      <PacksCard packs={settings.packs} cards={packs} />
      <TaxCard collectsTax={settings.collectsTax} />
    </>
  );
}

/** The prices of a year, and the packs, that customers can buy, and whether tax is added. */
export function PricesPage() {
  const query = useBillingSettings();
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <QueryView query={query} skeleton={<Skeleton className="h-64 rounded-card" />}>
        {(settings) => <Prices settings={settings} />}
      </QueryView>
    </AdminPage>
  );
}
