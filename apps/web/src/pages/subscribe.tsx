import type { User } from '@uprez/contracts/schemas/user';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { billingMessages } from '../features/billing/messages.ts';
import { Subscribe } from '../features/billing/subscribe/subscribe.tsx';
import { useIsDark } from '../features/theme/theme-switch.tsx';
import { readPlanChoice } from '../lib/billing/plan-paths.ts';
import { messages } from '../messages.ts';
import { PageHeading } from '../ui/layout/page-heading.tsx';

/** Sells the plan that `?plan=` and `?interval=` name. */
export function SubscribePage({ user }: { user: User }) {
  const [query] = useSearchParams();
  const isDark = useIsDark();
  const choice = useMemo(() => readPlanChoice(query), [query]);
  return (
    <div className="mx-auto grid w-full max-w-220 grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 py-10 sm:px-6 md:py-16">
      <PageHeading title={messages.page.subscribe} className="text-xl">
        {billingMessages.subscribe.title}
      </PageHeading>
      <Subscribe choice={choice} user={user} isDark={isDark} />
    </div>
  );
}
