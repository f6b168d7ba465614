import { routeUrl } from '@uprez/client/route-url';
import { tiersByMail } from '@uprez/contracts/policy/plans';
import type { PlanCard as Plan } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import clsx from 'clsx';
import { Check, Minus } from 'lucide-react';
import { Link } from 'react-router';
import { showErrorToast } from '../../lib/api/api-errors.ts';
import { usePlans, useSite } from '../../lib/api/queries.ts';
import { formatPrice } from '../../lib/format/format.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { paths, signUpPath } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { pricingMessages as text } from '../../ui/plans/messages.ts';

const wide = { size: 'wide', look: 'secondary' } as const;

export const mailtoUrl = (to: string, { subject, body }: { subject: string; body: string }): string =>
  `mailto:${encodeURIComponent(to).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;

function MailAction({ name }: Pick<Plan, 'name'>) {
  const { data, isFetching, refetch } = useSite();
  if (data)
    return (
      <a href={mailtoUrl(data.contactEmail, text.draft(name))} className={buttonStyle(wide)}>
        {text.byMail}
      </a>
    );
  const open = async () => {
    const { data: site, error } = await refetch();
    if (site) window.location.assign(mailtoUrl(site.contactEmail, text.draft(name)));
    else showErrorToast(text.addressFailed, error);
  };
  return (
    <Button {...wide} pending={isFetching} onClick={() => void open()}>
      {text.byMail}
    </Button>
  );
}

/** The button of a plan for visitors: sign in, then return to the plans. */
function VisitorAction({ card }: { card: Plan }) {
  if (card.price === 0)
    return (
      <Link to={signUpPath} className={buttonStyle({ size: 'wide' })}>
        {text.start}
      </Link>
    );
  return (
    <a href={routeUrl('loginPage', { query: { next: paths.pricing } })} className={buttonStyle(wide)}>
      {text.choose(card.name)}
    </a>
  );
}

function PlanAction({ card, user }: { card: Plan; user: User | null }) {
  if (user?.subscriptionTier === card.key)
    return (
      <Button {...wide} disabled>
        {text.currentButton}
      </Button>
    );
  if (tiersByMail.includes(card.key)) return <MailAction name={card.name} />;
  if (!user) return <VisitorAction card={card} />;
  if (card.price === 0)
    return (
      <Button {...wide} disabled>
        {text.base}
      </Button>
    );
  return (
    <Button {...wide} onClick={() => showToast({ ...text.unavailable, destructive: true })}>
      {text.choose(card.name)}
    </Button>
  );
}

function Sentences({ label, sentences, included }: { label: string; sentences: readonly string[]; included: boolean }) {
  const Icon = included ? Check : Minus;
  return (
    <ul aria-label={label} className={clsx('grid content-start gap-2 text-sm', !included && 'text-muted')}>
      {sentences.map((sentence) => (
        <li key={sentence} className="flex gap-2">
          <Icon aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-muted" />
          <span className="min-w-0">{sentence}</span>
        </li>
      ))}
    </ul>
  );
}

function PlanCard({ card, user }: { card: Plan; user: User | null }) {
  const isCurrent = user?.subscriptionTier === card.key;
  const id = `plan-${card.key}`;
  return (
    <li
      aria-labelledby={id}
      className={clsx(
        'row-span-3 grid snap-start scroll-ml-4 sm:scroll-ml-6 grid-rows-subgrid gap-0 rounded-card border border-line bg-surface p-4',
        isCurrent && 'outline-2 outline-accent -outline-offset-1',
      )}
    >
      <div className="grid content-start gap-1">
        <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
          <h3 id={id} className="text-base">
            {card.name}
          </h3>
          {isCurrent && <Badge kind="neutral">{text.current}</Badge>}
        </div>
        <p className="text-muted text-sm">{card.description}</p>
      </div>
      <div className="grid gap-4 py-5">
        <p className="flex items-baseline gap-1.5">
          <span className="font-bold text-xl tabular-nums tracking-tight">{formatPrice(card.price)}</span>
          <span className="text-muted text-sm">{text.period[card.period]}</span>
        </p>
        <PlanAction card={card} user={user} />
      </div>
      <div className="grid content-start gap-5 border-line border-t pt-5">
        <Sentences label={text.features} sentences={card.features} included />
        <Sentences label={text.limitations} sentences={card.limitations} included={false} />
      </div>
    </li>
  );
}

/** All plans side by side, or in a row with scroll snapping on small screens. */
export function PlanCards({ user }: { user: User | null }) {
  const plans = usePlans();
  return (
    <div className="grid min-h-160 grid-cols-[minmax(0,1fr)] content-start">
      <QueryView query={plans} skeleton={<Skeleton className="h-160" />}>
        {(cards) => (
          <ul
            aria-label={text.list}
            className="-mx-4 grid snap-x snap-mandatory auto-cols-[min(17rem,82vw)] grid-flow-col grid-rows-[repeat(3,auto)] gap-x-3 overflow-x-auto p-4 sm:-mx-6 sm:px-6 xl:mx-0 xl:auto-cols-fr xl:snap-none xl:overflow-visible xl:px-0"
          >
            {cards.map((card) => (
              <PlanCard key={card.key} card={card} user={user} />
            ))}
          </ul>
        )}
      </QueryView>
    </div>
  );
}
