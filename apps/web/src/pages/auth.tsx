import { nextPath } from '@uprez/contracts/policy/next-path';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { formatPrice } from '@uprez/contracts/texts/format';
import { intervalTexts, planNameOfPath } from '@uprez/contracts/texts/plans';
import { Tabs } from 'radix-ui';
import { Navigate, useSearchParams } from 'react-router';
import { hasPendingRun } from '../features/processor/state/run-storage.ts';
import { useAuth } from '../features/session/auth-provider.tsx';
import { SignIn, SignUpForm } from '../features/session/sign-in-forms.tsx';
import { usePlans } from '../lib/api/queries.ts';
import { useSearchParam } from '../lib/browser/use-search-param.ts';
import { hasStoredImage } from '../lib/images/image-store.ts';
import { countCarriedFiles } from '../lib/session/carried-files.ts';
import { findOwner } from '../lib/session/session-lifecycle.ts';
import { messages } from '../messages.ts';
import { paths } from '../site-map.ts';
import { QueryView, Skeleton } from '../ui/feedback/query-view.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';
import { pricingMessages } from '../ui/plans/messages.ts';

const text = messages.auth;
const forms = ['sign-in', 'sign-up'] as const;
type FormName = (typeof forms)[number];

function PlanList() {
  const plans = usePlans();
  return (
    <div className="min-h-96">
      <QueryView query={plans} skeleton={<Skeleton className="h-96" />}>
        {(cards) => (
          <ul aria-label={pricingMessages.list} className="grid gap-2">
            {cards.map(({ key, name, price, period, features: [first] }) => (
              <li key={key} className="grid gap-0.5 rounded-card border border-line bg-surface px-4 py-3 text-sm">
                <span className="flex items-baseline justify-between gap-4">
                  <span className="font-medium">{name}</span>
                  <span className="flex items-baseline gap-1 text-muted text-xs">
                    <span className="font-medium text-base text-ink tabular-nums">{formatPrice(price)}</span>
                    {intervalTexts[period].per}
                  </span>
                </span>
                <span className="text-muted">{first}</span>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </div>
  );
}

const tabStyle =
  'control flex-1 rounded-[6px] text-muted text-sm hover:text-ink data-[state=active]:bg-raised data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:outline data-[state=active]:outline-line';

function reasonToSignIn(next: string | null): string {
  const plan = planNameOfPath(next);
  if (plan) return text.subscribes(plan);
  const files = countCarriedFiles();
  const isKnown = findOwner() !== undefined;
  if (files > 0 && next === paths.dashboard)
    return isKnown ? `${text.ended} ${text.keepsImagesOfUser(files)}` : text.keepsImages(files, currentPlans.free);
  if (hasPendingRun()) return isKnown ? `${text.ended} ${text.startsRunAgain}` : text.startsRun;
  const reason = hasStoredImage() ? text.keepsImage : text.goOn;
  return isKnown ? `${text.ended} ${reason}` : reason;
}

/** The sign-in and sign-up page. Signed-in users are redirected to `next`. */
export function AuthPage() {
  const { user } = useAuth();
  const [params] = useSearchParams();
  const [tab, chooseTab] = useSearchParam({ name: 'tab', choices: forms, fallback: 'sign-in' });
  if (user) return <Navigate to={nextPath(params.get('next'))} replace />;
  return (
    <div className="mx-auto grid w-full max-w-240 items-start gap-12 px-4 py-10 sm:px-6 md:grid-cols-2 md:py-20">
      <section className="order-last grid max-w-md gap-8 md:order-first">
        <div className="grid gap-3">
          <p className="font-bold text-xl tracking-tight text-balance">{text.tagline}</p>
          <p className="text-muted">{text.lead}</p>
        </div>
        <PlanList />
      </section>
      <section className="w-full max-w-md rounded-card border border-line bg-surface p-5 sm:p-7 md:justify-self-end">
        <PageHeading title={tab === 'sign-up' ? messages.page.signUp : messages.page.auth} className="mb-5 text-lg">
          {text.title}
        </PageHeading>
        {params.has('next') && <p className="mb-5 text-muted text-sm">{reasonToSignIn(params.get('next'))}</p>}
        <Tabs.Root value={tab} onValueChange={(next) => chooseTab(next as FormName)}>
          <Tabs.List aria-label={text.tabs} className="mb-6 flex rounded-control border border-line bg-sunken p-0.5">
            <Tabs.Trigger value="sign-in" className={tabStyle}>
              {text.signIn}
            </Tabs.Trigger>
            <Tabs.Trigger value="sign-up" className={tabStyle}>
              {text.signUp}
            </Tabs.Trigger>
          </Tabs.List>
          <Tabs.Content value="sign-in" tabIndex={-1}>
            <SignIn />
          </Tabs.Content>
          <Tabs.Content value="sign-up" tabIndex={-1}>
            <SignUpForm />
          </Tabs.Content>
        </Tabs.Root>
      </section>
    </div>
  );
}
