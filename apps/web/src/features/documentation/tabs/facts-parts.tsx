import { changelog } from '@uprez/contracts/docs/changelog';
import { makePlanCards } from '@uprez/contracts/policy/plan-cards';
import { sandboxTriggers } from '@uprez/contracts/policy/sandbox';
import { formatDay } from '@uprez/contracts/texts/format';
import { v1AnswerHeaders, v1RequestHeaders } from '@uprez/contracts/v1/headers';
import { PlanComparison } from '../../../ui/plans/plan-comparison.tsx';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { Paragraphs, RichText } from '../parts/rich-text.tsx';
import { Section } from '../parts/section.tsx';
import { referenceMessages as text } from '../reference-messages.ts';

type Headers = Record<string, { description: string; example: string }>;
const factsOfHeaders = (headers: Headers): Fact[] =>
  Object.entries(headers).map(([name, { description, example }]) => ({ name, says: description, detail: example }));
const factsOfRows = (rows: readonly (readonly [string, string])[]): Fact[] =>
  rows.map(([name, says]) => ({ name, says }));

const Subtitle = ({ children }: { children: string }) => <h3 className="pt-2 text-base">{children}</h3>;

export function HeadersPart() {
  const { title, sent, received } = text.headers;
  return (
    <Section id="headers" title={title} label={title}>
      <Subtitle>{sent}</Subtitle>
      <FactList label={sent} facts={factsOfHeaders(v1RequestHeaders)} />
      <Subtitle>{received}</Subtitle>
      <FactList label={received} facts={factsOfHeaders(v1AnswerHeaders)} />
    </Section>
  );
}

export function LimitsPart() {
  const { title, label, note, rows, rates, rateRows, over } = text.limits;
  return (
    <Section id="limits" title={title} label={title}>
      <Paragraphs text={note} />
      <FactList label={label} facts={factsOfRows(rows)} plain />
      <Subtitle>{rates}</Subtitle>
      <FactList label={rates} facts={factsOfRows(rateRows)} plain />
      <Paragraphs text={over} />
    </Section>
  );
}

const cards = makePlanCards().filter(({ entitlements }) => entitlements.api);

export function PlansPart() {
  return (
    <Section id="plans" title={text.plans.title} label={text.plans.title}>
      <Paragraphs text={text.plans.text} />
      <PlanComparison cards={cards} user={null} />
    </Section>
  );
}

export function SandboxPart() {
  const { title, text: words, names } = text.sandbox;
  return (
    <Section id="sandbox" title={title} label={title}>
      <Paragraphs text={words} />
      <FactList label={names} facts={sandboxTriggers.map(({ name, says }) => ({ name: `${name}.jpg`, says }))} />
    </Section>
  );
}

export function ChangesPart() {
  return (
    <Section id="changes" title={text.changes.title} label={text.changes.title}>
      <Paragraphs text={text.changes.text} />
      {changelog.map(({ date, version, changes }) => (
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
      ))}
    </Section>
  );
}
