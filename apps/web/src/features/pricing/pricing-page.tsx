import type { PackCard, PlanCard } from '@uprez/contracts/schemas/plan-card';
import { packsAnchor } from '@uprez/contracts/texts/site/pages';
import { Plus } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { usePlans } from '../../lib/api/queries.ts';
import { usePacks } from '../../lib/billing/use-packs.ts';
import { revealElement } from '../../lib/layout/reveal-element.ts';
import { messages } from '../../messages.ts';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { pricingMessages as text } from '../../ui/plans/messages.ts';
import { PackList, packMessages, packParam } from '../../ui/plans/pack-list.tsx';
import { PlanComparison } from '../../ui/plans/plan-comparison.tsx';
import { useAuth } from '../session/auth-provider.tsx';
import { PlanCards } from './plan-cards.tsx';

type PartProps = { title: string; lead?: string; partRef?: Ref<HTMLElement>; children: ReactNode };

function Part({ title, lead, partRef, children }: PartProps) {
  return (
    <section ref={partRef} className="grid gap-6 lg:grid-cols-[5fr_7fr] lg:gap-12">
      <div className="grid content-start gap-3">
        <h2 className="text-xl">{title}</h2>
        {lead && <p className="max-w-md text-muted">{lead}</p>}
      </div>
      {children}
    </section>
  );
}

function Counting() {
  return (
    <dl className="divide-y divide-line rounded-card border border-line bg-surface text-sm">
      {text.counts.rows.map(([what, costs]) => (
        <div key={what} className="flex items-baseline justify-between gap-6 px-4 py-3">
          <dt>{what}</dt>
          <dd className="shrink-0 font-medium tabular-nums">{costs}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * Lists the packs that are for sale. Scrolls them into view for links with the packs anchor, because the browser looks
 * for the anchor before the packs have loaded.
 */
function Packs({ packs, isSignedIn }: { packs: readonly PackCard[]; isSignedIn: boolean }) {
  const { hash } = useLocation();
  const [params] = useSearchParams();
  const partRef = useRef<HTMLElement>(null);
  const isLinked = hash === `#${packsAnchor}`;
  useEffect(() => {
    if (isLinked) revealElement(partRef.current);
  }, [isLinked]);
  return (
    <Part title={packMessages.title} lead={packMessages.lead} partRef={partRef}>
      <PackList packs={packs} isSignedIn={isSignedIn} chosen={params.get(packParam)} />
    </Part>
  );
}

/** Limits are taken from the plan cards. */
function Questions({ cards, hasPacks }: { cards: readonly PlanCard[]; hasPacks: boolean }) {
  const isForSale = cards.some(({ priceId }) => priceId !== null);
  const pixels = cards.map(({ entitlements }) => entitlements.maxOutputPixels);
  const bytes = cards.map(({ entitlements }) => entitlements.uploadBytes.web);
  const files = { least: Math.min(...bytes), most: Math.max(...bytes) };
  return (
    <div className="divide-y divide-line border-line border-y">
      {text.questions
        .list({ least: Math.min(...pixels), most: Math.max(...pixels), files, isForSale, hasPacks })
        .map(([question, answer]) => (
          <details key={question} className="group">
            <summary className="control flex cursor-pointer list-none items-center justify-between gap-4 py-3 font-medium text-sm [&::-webkit-details-marker]:hidden">
              {question}
              <Plus
                aria-hidden="true"
                strokeWidth={1.75}
                className="size-4 shrink-0 text-muted transition-transform group-open:rotate-45"
              />
            </summary>
            <p className="max-w-2xl pb-4 text-muted text-sm">{answer}</p>
          </details>
        ))}
    </div>
  );
}

export function PricingPage() {
  const { user } = useAuth();
  const { data: cards } = usePlans();
  const { data: packs = [] } = usePacks();
  return (
    <div className="mx-auto grid w-full max-w-300 grid-cols-[minmax(0,1fr)] gap-16 px-4 py-10 sm:px-6 md:gap-24 md:py-16">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <div className="grid gap-3">
          <PageHeading title={messages.page.pricing} className="text-xl sm:text-2xl">
            {text.title}
          </PageHeading>
          <p className="text-pretty text-muted">{text.lead}</p>
        </div>
        <h2 className="sr-only">{text.list}</h2>
        <PlanCards user={user} />
      </div>
      {packs.length > 0 && <Packs packs={packs} isSignedIn={user !== null} />}
      <Part title={text.counts.title} lead={text.counts.lead}>
        <Counting />
      </Part>
      {cards && (
        <>
          <section className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <h2 className="text-xl">{text.comparison.title}</h2>
            <PlanComparison cards={cards} user={user} />
          </section>
          <Part title={text.questions.title}>
            <Questions cards={cards} hasPacks={packs.length > 0} />
          </Part>
        </>
      )}
    </div>
  );
}
