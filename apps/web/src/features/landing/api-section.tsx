import type { PlanCard } from '@uprez/contracts/plan-card';
import { useRef } from 'react';
import { Link } from 'react-router';
import { usePlans } from '../../lib/use-plans.ts';
import { landingMessages } from '../../messages/landing.ts';
import { anchors, paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { makeAnswer, makeRequest } from './api-example.ts';
import { LandingSection } from './landing-section.tsx';

const text = landingMessages.api;
const list = new Intl.ListFormat('en-GB');
const codeStyle = 'overflow-x-auto p-4 font-mono text-sm leading-relaxed';

function Request() {
  const code = useRef<HTMLElement>(null);
  const request = makeRequest(window.location.origin);
  return (
    <div className="rounded-card border border-line bg-surface">
      <div className="flex items-center justify-between border-line border-b py-1 pr-1 pl-4 text-muted text-xs">
        {text.request}
        <CopyButton text={request} label={text.copy} source={code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className={codeStyle}>
        <code ref={code}>{request}</code>
      </pre>
    </div>
  );
}

function Answer({ plan }: { plan: PlanCard }) {
  const title = text.answer(plan.name);
  return (
    <div className="rounded-card border border-line bg-sunken">
      <div className="border-line border-b px-4 py-2.5 text-muted text-xs">{title}</div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className={codeStyle}>
        <code>{JSON.stringify(makeAnswer(plan, new Date()), null, 2)}</code>
      </pre>
    </div>
  );
}

function Words({ plans }: { plans: readonly PlanCard[] }) {
  const names = plans.filter(({ entitlements }) => entitlements.api).map(({ name }) => name);
  return (
    <div className="grid max-w-md content-start justify-items-start gap-4">
      <p>{text.lead}</p>
      <p className="text-muted text-sm">{`${text.plans(list.format(names))} ${text.limits}`}</p>
      <p className="text-muted text-sm">{text.today}</p>
      <Link to={paths.pricing} className={buttonStyle({ look: 'secondary', className: 'mt-2' })}>
        {text.getKey}
      </Link>
    </div>
  );
}

/** The API, for who does not have an account yet: one request that runs. */
export function ApiSection() {
  const plans = usePlans();
  return (
    <LandingSection id={anchors.api} title={text.title}>
      <QueryView query={plans} skeleton={<Skeleton className="h-96" />}>
        {(data) => {
          const smallest = data.find(({ entitlements }) => entitlements.api);
          return (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[5fr_7fr]">
              <Words plans={data} />
              <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
                <Request />
                {smallest && <Answer plan={smallest} />}
              </div>
            </div>
          );
        }}
      </QueryView>
    </LandingSection>
  );
}
