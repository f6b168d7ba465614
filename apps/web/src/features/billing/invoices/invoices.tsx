import { useInfiniteQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { api } from '../../../lib/api/api.ts';
import { invoicesKey } from '../../../lib/billing/use-billing.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { BillingSection } from '../billing-section.tsx';
import { billingMessages } from '../messages.ts';
import { InvoiceTable } from './invoice-table.tsx';

const text = billingMessages.invoices;

/** The invoices of the account, newest first, each as PDF, and all as CSV. */
export function Invoices() {
  const query = useInfiniteQuery({
    queryKey: invoicesKey,
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await api.listInvoices({ query: { ...(cursor !== null && { cursor }) }, signal })).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    select: ({ pages }) => pages.flatMap(({ invoices }) => invoices),
    refetchOnMount: 'always',
  });
  const hasRows = (query.data?.length ?? 0) > 0;
  return (
    <BillingSection
      title={text.title}
      state={
        hasRows && (
          <a href={routeUrl(apiRoutes.exportInvoices)} download className={buttonStyle({ look: 'secondary' })}>
            {text.csv}
          </a>
        )
      }
    >
      <QueryView query={query} skeleton={<Skeleton className="h-32" />} empty={<EmptyState {...text.empty} />}>
        {(rows) => (
          <>
            <InvoiceTable rows={rows} />
            <MoreButton query={query} />
          </>
        )}
      </QueryView>
    </BillingSection>
  );
}
