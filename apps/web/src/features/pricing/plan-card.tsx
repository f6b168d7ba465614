import type { PlanCard as Plan } from '@uprez/contracts/schemas/plan-card';
import type { User } from '@uprez/contracts/schemas/user';
import clsx from 'clsx';
import { Check, Minus } from 'lucide-react';
import { formatPrice } from '../../lib/format/format.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { pricingMessages as text } from '../../ui/plans/messages.ts';
import { PlanAction } from './plan-action.tsx';

type SentencesProps = { label: string; sentences: readonly string[]; included: boolean };

function Sentences({ label, sentences, included }: SentencesProps) {
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

/** A plan with its price, button, features, and limitations. */
export function PlanCard({ card, user }: { card: Plan; user: User | null }) {
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
