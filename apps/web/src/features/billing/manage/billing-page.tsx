import { useInfiniteQuery } from '@tanstack/react-query';
import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Billing, BoughtPack, Invoice } from '@uprez/contracts/schemas/billing/billing';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { usePlans } from '../../../lib/api/queries.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { isSubscribed } from '../../../lib/billing/is-subscribed.ts';
import { couponParam, readPlanChoice } from '../../../lib/billing/plan-paths.ts';
import { invoicesKey, useBilling, useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { usePacks } from '../../../lib/billing/use-packs.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { messages } from '../../../messages.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { MoreButton, QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { PageHeading } from '../../../ui/layout/page-heading.tsx';
import { PackList, packMessages as packText } from '../../../ui/plans/pack-list.tsx';
import { useIsDark } from '../../theme/theme-switch.tsx';
import { BillingSection } from '../billing-section.tsx';
import { billingMessages } from '../messages.ts';
import { omitReturnParams, readPurchaseReturn } from '../result/purchase-return.ts';
import { cardAnchor, describeUnpaidBill, payAnchor } from '../unpaid-banner.tsx';
import { CardSection } from './card-section.tsx';
import { ChangeSection } from './change-section.tsx';
import { LeaveSection } from './leave-section.tsx';
import { PlanSection } from './plan-section.tsx';
import { useBillingAction } from './use-billing-action.ts';

const invoicesText = billingMessages.invoices;

type Total = Pick<Invoice, 'subtotal' | 'discount' | 'tax' | 'refunded' | 'currency'>;

/** Describes what an invoice total consists of: subtotal, discount, tax, and refunds. */
export function describeTotal({ subtotal, discount, tax, refunded, currency }: Total): string {
  const format = (amount: number) => formatMoney({ amount, currency });
  return [
    (discount > 0 || tax > 0) && invoicesText.subtotal(format(subtotal)),
    discount > 0 && invoicesText.discount(format(-discount)),
    tax > 0 && invoicesText.tax(format(tax)),
    refunded > 0 && invoicesText.refunded(format(refunded)),
  ]
    .filter(Boolean)
    .join(', ');
}

type ManageProps = { isDark: boolean; deletesAt: string | null };

function Manage(props: ManageProps) {
  useSetupReturn();
  const plans = usePlans();
  const billing = useBilling({ isLive: true });
  const skeleton = <Skeleton className="h-64 rounded-card" />;
  return (
    <QueryView query={plans} skeleton={skeleton}>
      {(cards) => (
        <QueryView query={billing} skeleton={skeleton}>
          {(data) => <Sections billing={data} cards={cards} {...props} />}
        </QueryView>
      )}
    </QueryView>
  );
}

function Invoices() {
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
      title={invoicesText.title}
      state={
        hasRows && (
          <a href={routeUrl(apiRoutes.exportInvoices)} download className={buttonStyle({ look: 'secondary' })}>
            {invoicesText.csv}
          </a>
        )
      }
    >
      <QueryView query={query} skeleton={<Skeleton className="h-32" />} empty={<EmptyState {...invoicesText.empty} />}>
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
        <Badge kind={badgeKinds[status]}>{invoicesText.statuses[status]}</Badge>
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
            aria-label={invoicesText.pdfOf(number ?? formatDay(createdAt))}
            className="inline-flex min-h-6 items-center underline decoration-line underline-offset-4 hover:decoration-current"
          >
            {invoicesText.pdf}
          </a>
        )}
      </td>
    </tr>
  );
}

const { columns } = invoicesText;

function InvoiceTable({ rows }: { rows: readonly Invoice[] }) {
  return (
    <table className="block w-full text-sm sm:table">
      <caption className="sr-only">{invoicesText.caption}</caption>
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

const unpaidText = billingMessages.unpaid;

type UnpaidSectionProps = Parameters<typeof describeUnpaidBill>[0] & { onPaid: () => void; onChangeCard: () => void };

function UnpaidSection({ onPaid, onChangeCard, ...unpaid }: UnpaidSectionProps) {
  const { hash } = useLocation();
  const pay = useBillingAction({
    call: () => api.payInvoice(),
    done: () => unpaidText.paid,
    failed: billingMessages.payment.failed,
    onDone: onPaid,
  });
  const focus = (button: HTMLButtonElement | null) => button?.focus();
  return (
    <section aria-label={unpaidText.region}>
      <Notice kind="warning">
        <div className="grid gap-3">
          <p>{describeUnpaidBill(unpaid)}</p>
          <div className="flex flex-wrap gap-2">
            <Button ref={hash === payAnchor ? focus : undefined} pending={pay.isPending} onClick={() => pay.mutate()}>
              {unpaidText.pay}
            </Button>
            <Button look="secondary" onClick={onChangeCard}>
              {unpaidText.open}
            </Button>
          </div>
        </div>
      </Notice>
    </section>
  );
}

/**
 * Returns the plan choice in `?plan=`, which links to a plan change set. Also returns a function that replaces or
 * clears it. Choosing another plan keeps the coupon code in the URL; clearing the choice removes it.
 */
function useChosenPrice() {
  const [query, setQuery] = useSearchParams();
  const choose = (plan: string | null) => {
    const coupon = query.get(couponParam);
    const next = plan === null ? {} : { plan, ...(coupon && { [couponParam]: coupon }) };
    setQuery(next, { replace: true, preventScrollReset: true });
  };
  return [readPlanChoice(query), choose] as const;
}

type SectionsProps = { billing: Billing; cards: readonly PlanCard[] } & ManageProps;

function Sections({ billing, cards, isDark, deletesAt }: SectionsProps) {
  const { hash } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, choose] = useChosenPrice();
  const [cardRequests, setCardRequests] = useState(hash === cardAnchor ? 1 : 0);
  const { subscription, unpaid } = billing;
  const isActive = isSubscribed(billing);
  // Moves the focus to the plan's heading, because the control that had it is no longer on the page.
  const focusPlan = () => heading.current?.focus();
  return (
    <>
      {unpaid && (
        <UnpaidSection
          unpaid={unpaid}
          override={billing.override}
          onPaid={focusPlan}
          onChangeCard={() => setCardRequests((count) => count + 1)}
        />
      )}
      <PlanSection
        billing={billing}
        deletesAt={deletesAt}
        headingRef={heading}
        onDone={focusPlan}
        onPriced={() => choose(subscription?.plan.priceId ?? null)}
      />
      <ChangeSection
        billing={billing}
        deletesAt={deletesAt}
        cards={cards}
        chosen={chosen}
        onChoose={choose}
        onDone={() => {
          choose(null);
          focusPlan();
        }}
      />
      {isActive && <CardSection billing={billing} isDark={isDark} requests={cardRequests} />}
      <PacksSection bought={billing.packs} />
      <Invoices />
      {isActive && subscription && subscription.cancelAt === null && (
        <LeaveSection billing={billing} subscription={subscription} onDone={focusPlan} />
      )}
    </>
  );
}

const text = billingMessages.card;

/** Completes a change of payment method after the user confirmed it on an external page, such as PayPal's. */
function useSetupReturn(): void {
  const [query, setQuery] = useSearchParams();
  const store = useStoreBilling();
  const { mutate } = useResourceMutation({
    call: async () => (await api.refreshBilling({ body: {} })).data,
    onSuccess: (billing) => {
      store(billing);
      showToast({ title: text.saved });
    },
    errorTitle: text.failed,
  });
  const hasFailed = readPurchaseReturn(query)?.hasFailed;
  useEffect(() => {
    if (hasFailed === undefined) return;
    setQuery(omitReturnParams, { replace: true, preventScrollReset: true });
    if (hasFailed) showToast({ title: text.failed, description: text.notConfirmed, destructive: true });
    else mutate();
  }, [hasFailed, setQuery, mutate]);
}

function BoughtPacks({ packs }: { packs: readonly BoughtPack[] }) {
  return (
    <div className="grid gap-2">
      <h3 className="text-base">{packText.bought}</h3>
      <ul aria-label={packText.bought} className="divide-y divide-line border-line border-y text-sm">
        {packs.map((pack) => (
          <li key={pack.boughtAt} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
            <span className="grid min-w-0">
              <span className="font-medium tabular-nums">{packText.name(pack)}</span>
              <span className="text-muted">{packText.boughtOn(formatDay(pack.boughtAt))}</span>
            </span>
            <span className="text-muted tabular-nums">{packText.left(pack)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function PacksSection({ bought }: { bought: readonly BoughtPack[] }) {
  const { data: packs = [] } = usePacks();
  if (packs.length === 0 && bought.length === 0) return null;
  return (
    <BillingSection title={packText.title}>
      {packs.length > 0 && (
        <>
          <p className="text-muted text-sm">{packText.lead}</p>
          <PackList packs={packs} isSignedIn />
        </>
      )}
      {bought.length > 0 && <BoughtPacks packs={bought} />}
    </BillingSection>
  );
}

export function BillingPage({ user }: { user: User }) {
  const isDark = useIsDark();
  return (
    <div className="mx-auto grid w-full max-w-220 grid-cols-[minmax(0,1fr)] gap-5 px-4 py-10 sm:px-6 md:py-16">
      <PageHeading title={messages.page.billing} className="text-xl">
        {billingMessages.page.title}
      </PageHeading>
      <Manage isDark={isDark} deletesAt={user.deletesAt} />
    </div>
  );
}
