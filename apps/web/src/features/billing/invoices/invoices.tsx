import { useInfiniteQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Invoice } from '@uprez/contracts/schemas/billing/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { api } from '../../../lib/api/api.ts';
import { invoicesKey } from '../../../lib/billing/use-billing.ts';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { BillingSection } from '../billing-section.tsx';
import { billingMessages } from '../messages.ts';

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

const badgeKinds = {
  draft: 'neutral',
  open: 'warning',
  paid: 'success',
  uncollectible: 'danger',
  void: 'neutral',
} as const;

type Total = Pick<Invoice, 'subtotal' | 'discount' | 'tax' | 'refunded' | 'currency'>;

/** What explains a total: its subtotal, discount, and tax, and what was refunded. */
export function describeTotal({ subtotal, discount, tax, refunded, currency }: Total): string {
  const format = (amount: number) => formatMoney({ amount, currency });
  return [
    (discount > 0 || tax > 0) && text.subtotal(format(subtotal)),
    discount > 0 && text.discount(format(-discount)),
    tax > 0 && text.tax(format(tax)),
    refunded > 0 && text.refunded(format(refunded)),
  ]
    .filter(Boolean)
    .join(', ');
}

function Row({ invoice }: { invoice: Invoice }) {
  const { id, number, status, createdAt, description, total, currency } = invoice;
  const detail = describeTotal(invoice);
  return (
    <tr className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 py-3 sm:table-row">
      <td className="order-2 whitespace-nowrap text-muted sm:py-3 sm:pr-4 sm:align-baseline">
        <time dateTime={createdAt}>{formatDay(createdAt)}</time>
      </td>
      <td className="order-1 wrap-anywhere sm:py-3 sm:pr-4 sm:align-baseline">
        {description}
        {number !== null && <span className="block text-muted text-xs">{number}</span>}
      </td>
      <td className="order-3 justify-self-end sm:py-3 sm:pr-4 sm:align-baseline">
        <Badge kind={badgeKinds[status]}>{text.statuses[status]}</Badge>
      </td>
      <td className="order-1 text-right font-medium tabular-nums sm:py-3 sm:pr-4 sm:align-baseline">
        {formatMoney({ amount: total, currency })}
        {detail !== '' && <span className="block font-normal text-muted text-xs">{detail}</span>}
      </td>
      <td className="order-4 sm:py-3 sm:text-right sm:align-baseline">
        {status !== 'draft' && (
          <a
            href={routeUrl(apiRoutes.downloadInvoice, { params: { id } })}
            target="_blank"
            rel="noreferrer"
            aria-label={text.pdfOf(number ?? formatDay(createdAt))}
            className="inline-flex min-h-6 items-center underline decoration-line underline-offset-4 hover:decoration-current"
          >
            {text.pdf}
          </a>
        )}
      </td>
    </tr>
  );
}

const { columns } = text;

function InvoiceTable({ rows }: { rows: readonly Invoice[] }) {
  return (
    <table className="block w-full text-sm sm:table">
      <caption className="sr-only">{text.caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="text-left text-muted text-xs">
          {[columns.date, columns.description, columns.status].map((name) => (
            <th key={name} scope="col" className="py-2 pr-4 font-normal">
              {name}
            </th>
          ))}
          <th scope="col" className="py-2 pr-4 text-right font-normal">
            {columns.total}
          </th>
          <th scope="col" className="py-2 text-right font-normal">
            {columns.pdf}
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y divide-line border-line border-y sm:table-row-group">
        {rows.map((invoice) => (
          <Row key={invoice.id} invoice={invoice} />
        ))}
      </tbody>
    </table>
  );
}
