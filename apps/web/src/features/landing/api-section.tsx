import { answerExamples } from '@uprez/contracts/docs/openapi/examples';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import { formatList } from '@uprez/contracts/texts/format';
import { mailPages } from '@uprez/contracts/texts/pages';
import { keyVariable } from '@uprez/contracts/texts/placeholders';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { Link } from 'react-router';
import { usePlans } from '../../lib/api/queries.ts';
import { anchors, paths, signUpPath } from '../../site-map.ts';
import { CodePanel, JsonPanel, PanelTitle } from '../../ui/code/code-panel.tsx';
import { makeFirstRequest } from '../../ui/code/first-request.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { LandingSection } from './landing-section.tsx';
import { landingMessages } from './messages.ts';

const text = landingMessages.api;

function exampleAnswer(origin: string): Partial<V1Job> {
  const job = answerExamples(origin).v1Process as V1Job;
  const { id, status, original_size, processed_size, processing_time_ms, download_url, expires_at } = job;
  return { id, status, original_size, processed_size, processing_time_ms, download_url, expires_at };
}

const signUpForKeys = `${signUpPath}&next=${encodeURIComponent(mailPages.apiKeys)}`;

function Words({ plans }: { plans: readonly PlanCard[] }) {
  const names = plans.filter(({ entitlements }) => entitlements.api).map(({ name }) => name);
  return (
    <div className="grid max-w-md content-start justify-items-start gap-4">
      <p>{text.lead}</p>
      <p className="text-muted text-sm">{`${text.plans(formatList(names))} ${text.limits}`}</p>
      <p className="text-muted text-sm">{text.more}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Link to={signUpForKeys} className={buttonStyle({ look: 'secondary' })}>
          {text.getKey}
        </Link>
        <Link to={paths.documentation} className={buttonStyle({ look: 'ghost' })}>
          {text.documentation}
        </Link>
      </div>
    </div>
  );
}

export function ApiSection() {
  const plans = usePlans();
  return (
    <LandingSection id={anchors.api} title={text.title}>
      <QueryView query={plans} skeleton={<Skeleton className="h-96" />}>
        {(data) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[5fr_7fr]">
            <Words plans={data} />
            <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
              <CodePanel
                name={text.request}
                title={<PanelTitle>{text.request}</PanelTitle>}
                lines={makeFirstRequest(window.location.origin, keyVariable)}
              />
              <JsonPanel title={text.answer} value={exampleAnswer(window.location.origin)} />
            </div>
          </div>
        )}
      </QueryView>
    </LandingSection>
  );
}
