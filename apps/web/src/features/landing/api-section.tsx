import { makeResponseExamples } from '@uprez/contracts/docs/openapi/examples';
import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { formatList } from '@uprez/contracts/texts/format';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import { keyVariable } from '@uprez/contracts/texts/site/placeholders';
import { v1ResponseHeaders } from '@uprez/contracts/v1/headers';
import type { V1Job } from '@uprez/contracts/v1/schemas';
import { Link } from 'react-router';
import { anchors, paths, signUpPath } from '../../site-map.ts';
import { CodePanel, PanelTitle } from '../../ui/code/code-panel.tsx';
import { makeFirstRequest } from '../../ui/code/first-request.ts';
import { toPlainLines } from '../../ui/code/lines.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { LandingSection } from './landing-section.tsx';
import { landingMessages } from './messages.ts';

const text = landingMessages.api;

/** Returns the headers for the example response. They describe the same image as the example in the API reference. */
function formatExampleHeaders(origin: string): string {
  const { processed_size: size } = makeResponseExamples(origin).v1Process as V1Job;
  const others = ['Content-Disposition', 'ETag', 'X-Job-Id', 'X-Credits-Charged', 'X-Credits-Remaining'] as const;
  const headers = others.map((name) => `${name}: ${v1ResponseHeaders[name].example}`);
  const type = [`Content-Type: ${mimeTypes.jpeg}`, `Content-Length: ${size?.file_size}`];
  return ['HTTP/1.1 200 OK', ...type, ...headers].join('\n');
}

const signUpForKeysPath = `${signUpPath}&next=${encodeURIComponent(mailPages.apiKeys)}`;

const planNames = Object.values(currentPlans).flatMap(({ api, name }) => (api ? [name] : []));

function Words() {
  return (
    <div className="grid max-w-md content-start justify-items-start gap-4">
      <p>{text.lead}</p>
      <p className="text-muted text-sm">{`${text.plans(formatList(planNames))} ${text.limits}`}</p>
      <p className="text-muted text-sm">{text.more}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Link to={signUpForKeysPath} className={buttonStyle({ look: 'secondary' })}>
          {text.getKey}
        </Link>
        <Link to={paths.documentation} className={buttonStyle({ look: 'ghost' })}>
          {text.documentation}
        </Link>
      </div>
    </div>
  );
}

export function ApiSection({ origin }: { origin: string }) {
  return (
    <LandingSection id={anchors.api} title={text.title}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[5fr_7fr]">
        <Words />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
          <CodePanel
            name={text.request}
            title={<PanelTitle>{text.request}</PanelTitle>}
            lines={makeFirstRequest(origin, keyVariable)}
          />
          <CodePanel
            name={text.answer}
            title={<PanelTitle>{text.answer}</PanelTitle>}
            lines={toPlainLines(formatExampleHeaders(origin))}
          />
        </div>
      </div>
    </LandingSection>
  );
}
