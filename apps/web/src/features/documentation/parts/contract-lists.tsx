import { changelog } from '@uprez/contracts/docs/changelog';
import { publicErrorCodes } from '@uprez/contracts/docs/public-errors';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { errorHints } from '@uprez/contracts/errors/error-hints';
import { formatNames, inputFormats } from '@uprez/contracts/policy/images/image-formats';
import { makePlanCards } from '@uprez/contracts/policy/plans/plan-cards';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import { sandboxTriggers } from '@uprez/contracts/policy/sandbox';
import { deliveryErrors, eventTypes } from '@uprez/contracts/schemas/webhook-events';
import { formatAlternatives, formatDay, formatList } from '@uprez/contracts/texts/format';
import { v1RequestHeaders, v1ResponseHeaders } from '@uprez/contracts/v1/headers';
import { useExampleValues } from '../../../ui/code/example-values.ts';
import { PlanComparison } from '../../../ui/plans/plan-comparison.tsx';
import { documentationMessages } from '../messages.ts';
import { parameterId, titleOf } from '../outline-data.ts';
import { parameters } from '../reference-data.ts';
import { fieldsOfEvent } from '../request-fields.ts';
import { type Fact, FactList, Fields } from './fact-list.tsx';
import { Code, RichText } from './rich-text.tsx';

const { parameters: parameterText, lists: labels } = documentationMessages;

export const Changelog = () =>
  changelog.map(({ date, version, changes }) => (
    <article key={version} className="grid max-w-2xl gap-2 text-sm">
      <h3 className="font-medium text-base">
        {version} <span className="font-normal text-muted text-sm">{formatDay(date)}</span>
      </h3>
      <ul className="grid list-disc gap-1 pl-5 marker:text-muted">
        {changes.map((change) => (
          <li key={change}>
            <RichText>{change}</RichText>
          </li>
        ))}
      </ul>
    </article>
  ));

const parameterFacts = parameters.map(({ name, allowed, description, fallback, aliases }) => ({
  name,
  id: parameterId(name),
  detail: [
    allowed,
    ...(fallback === undefined ? [] : [parameterText.fallback(fallback)]),
    ...(aliases.length > 0 ? [parameterText.aliases(aliases.join(', '))] : []),
  ].join(' · '),
  description,
}));

export const ParameterList = () => <FactList label={titleOf('parameters')} facts={parameterFacts} />;

const toFacts = (rows: Record<string, string>) =>
  Object.entries(rows).map(([name, description]) => ({ name, description }));

export const EventList = () => <FactList label={labels.events} facts={toFacts(eventTypes)} />;
export const DeliveryErrorList = () => <FactList label={labels.deliveryErrors} facts={toFacts(deliveryErrors)} />;
export const EventFields = () => (
  <Fields title={labels.eventFields} find={(document) => fieldsOfEvent(document, 'job.completed')} />
);

const errorFacts = publicErrorCodes.map((code) => {
  const { status, title, retry } = errorCodes[code];
  const hint = errorHints[code];
  return {
    name: code,
    // The `documentation_url` of an error links to this ID.
    id: code,
    detail: retry ? `${status} · ${documentationMessages.retry}` : String(status),
    description: hint ? `${title} ${hint}` : title,
  };
});

export const ErrorList = () => <FactList label={titleOf('errors')} facts={errorFacts} />;

type HeaderDocs = Record<string, { description: string; example: string }>;
const headerFacts = (headers: HeaderDocs): Fact[] =>
  Object.entries(headers).map(([name, { description, example }]) => ({ name, description, detail: example }));

export const RequestHeaderList = () => <FactList label={labels.requestHeaders} facts={headerFacts(v1RequestHeaders)} />;
export const ResponseHeaderList = () => (
  <FactList label={labels.responseHeaders} facts={headerFacts(v1ResponseHeaders)} />
);

const cards = makePlanCards().filter(({ entitlements }) => entitlements.api);
export const PlanTable = () => <PlanComparison cards={cards} user={null} />;

const triggers = sandboxTriggers.map(({ name, says }) => ({ name: `${name}.jpg`, description: says }));
export const TestTriggerList = () => <FactList label={labels.testTriggers} facts={triggers} />;

const listPlanNames = (hasFeature: (tier: Tier) => boolean) =>
  tiers.filter(hasFeature).map((tier) => currentPlans[tier].name);

export const PlansWithApi = () => formatAlternatives(listPlanNames((tier) => currentPlans[tier].api));
export const PlansWithWebhooks = () => formatList(listPlanNames((tier) => currentPlans[tier].webhooks === 'delivery'));
export const InputFormats = () => formatAlternatives(inputFormats.map((name) => formatNames[name]));

export function BaseUrl() {
  const { address } = useExampleValues();
  return <Code>{`${address}/v1`}</Code>;
}
