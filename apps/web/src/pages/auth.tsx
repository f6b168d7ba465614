import { limits } from '@uprez/contracts/limits';
import { factorRange } from '@uprez/contracts/picture-formats';
import { plans, retention } from '@uprez/contracts/plans';
import { Tabs } from 'radix-ui';
import { Navigate, useSearchParams } from 'react-router';
import { useAuth } from '../features/session/auth-context.ts';
import { SignIn } from '../features/session/sign-in.tsx';
import { SignUpForm } from '../features/session/sign-up-form.tsx';
import { formatCount } from '../lib/format.ts';
import { nextPath } from '../lib/next-path.ts';
import { messages } from '../messages.ts';
import { PageHeading } from '../ui/page-heading.tsx';

const text = messages.auth;
const facts = [
  text.factor(factorRange.signedOutMax, factorRange.webMax),
  text.output(formatCount(plans.free.maxOutputPixels / 1e6)),
  text.upload(limits.uploadBytes),
  text.deletion(retention.resultMinutes / 60),
];

function Introduction() {
  return (
    <section className="max-w-md">
      <p className="font-bold text-xl tracking-tight text-balance">{text.tagline}</p>
      <p className="mt-3 text-muted">{text.lead}</p>
      <dl aria-label={text.facts} className="mt-8 divide-y divide-line border-line border-y">
        {facts.map(([value, sentence]) => (
          <div key={value} className="grid grid-cols-[8.5rem_1fr] items-baseline gap-3 py-3">
            <dt className="font-medium text-sm tabular-nums">{value}</dt>
            <dd className="text-muted text-sm">{sentence}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const tabStyle =
  'control flex-1 rounded-[6px] text-muted text-sm hover:text-ink data-[state=active]:bg-raised data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:outline data-[state=active]:outline-line';

/** Sign in or sign up; someone signed in goes on to `next`. */
export function AuthPage() {
  const { user } = useAuth();
  const [params] = useSearchParams();
  if (user) return <Navigate to={nextPath(params.get('next'))} replace />;
  return (
    <div className="mx-auto grid w-full max-w-240 items-start gap-12 px-4 py-10 sm:px-6 md:grid-cols-2 md:py-20">
      <div className="order-last md:order-first">
        <Introduction />
      </div>
      <section className="w-full max-w-md rounded-card border border-line bg-surface p-5 sm:p-7 md:justify-self-end">
        <PageHeading title={messages.page.auth} className="mb-5 text-lg">
          {text.title}
        </PageHeading>
        <Tabs.Root defaultValue="sign-in">
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
