import { makePlanCards } from '@uprez/contracts/policy/plan-cards';
import { sandboxTriggers } from '@uprez/contracts/policy/sandbox';
import { v1AnswerHeaders, v1RequestHeaders } from '@uprez/contracts/v1/headers';
import { PlanComparison } from '../../../ui/plans/plan-comparison.tsx';
import { documentationMessages } from '../messages.ts';
import { type Fact, FactList } from './fact-list.tsx';

const labels = documentationMessages.lists;

type Headers = Record<string, { description: string; example: string }>;
const headerFacts = (headers: Headers): Fact[] =>
  Object.entries(headers).map(([name, { description, example }]) => ({ name, description, detail: example }));

export const RequestHeaderList = () => <FactList label={labels.requestHeaders} facts={headerFacts(v1RequestHeaders)} />;
export const ResponseHeaderList = () => (
  <FactList label={labels.responseHeaders} facts={headerFacts(v1AnswerHeaders)} />
);

const cards = makePlanCards().filter(({ entitlements }) => entitlements.api);
export const PlanTable = () => <PlanComparison cards={cards} user={null} />;

const triggers = sandboxTriggers.map(({ name, says }) => ({ name: `${name}.jpg`, description: says }));
export const TestTriggerList = () => <FactList label={labels.testTriggers} facts={triggers} />;
