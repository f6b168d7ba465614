import { answerExamples } from '@uprez/contracts/docs/openapi/examples';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import type { ReactNode } from 'react';
import { Example } from '../../../ui/code/example.tsx';
import { JsonPanel } from '../../../ui/code/json-panel.tsx';
import { useReader } from '../../../ui/code/reader.ts';
import { parameterId, partOfTag } from '../outline-data.ts';
import { CallPart } from '../parts/call-part.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { Paragraphs } from '../parts/rich-text.tsx';
import { Section } from '../parts/section.tsx';
import { calls, parameters, tags } from '../reference-data.ts';
import { referenceMessages as text } from '../reference-messages.ts';
import { ErrorsPart } from './errors-part.tsx';
import { ChangesPart, HeadersPart, LimitsPart, PlansPart, SandboxPart } from './facts-parts.tsx';
import { WebhookWords } from './webhook-words.tsx';

function Parameters() {
  const facts = parameters.map(({ name, allowed, says, usual, aliases }) => ({
    name,
    id: parameterId(name),
    detail: [
      allowed,
      ...(usual === undefined ? [] : [text.parameters.usual(usual)]),
      ...(aliases.length > 0 ? [text.parameters.also(aliases.join(', '))] : []),
    ].join(' · '),
    says,
  }));
  return (
    <Section id="parameters" title={text.parameters.title} label={text.parameters.title} aside={<Example name="url" />}>
      <Paragraphs text={text.parameters.text} />
      <FactList label={text.parameters.title} facts={facts} />
    </Section>
  );
}

/** The response of a call. */
function AnswerOf({ name }: { name: 'v1GetJob' | 'v1Account' }) {
  const { address } = useReader();
  return (
    <JsonPanel title={`GET ${v1Routes[name].path.replace(':id', '{id}')}`} value={answerExamples(address)[name]} />
  );
}

function Calls({ tag }: { tag: string }) {
  const title = text.tags[tag] ?? tag;
  return (
    <Section id={partOfTag(tag)} title={title} label={title} aside={asides[tag]}>
      {tag === 'Webhooks' && <WebhookWords />}
      {calls
        .filter((call) => call.tag === tag)
        .map((call) => (
          <CallPart key={call.name} call={call} />
        ))}
    </Section>
  );
}

/** Code shown next to the calls of a tag. */
const asides: Partial<Record<string, ReactNode>> = {
  Jobs: <AnswerOf name="v1GetJob" />,
  Account: <AnswerOf name="v1Account" />,
  Images: (
    <>
      <Example name="upscale" />
      <Example name="dry-run" />
    </>
  ),
  Batches: <Example name="batch" />,
  Webhooks: <Example name="webhook" />,
};

const Words = ({ id, part }: { id: string; part: { title: string; text: string } }) => (
  <Section id={id} title={part.title} label={part.title}>
    <Paragraphs text={part.text} />
  </Section>
);

/** The reference of calls, fields, headers, limits, and errors, generated from the contracts. */
export function ReferenceTab() {
  return (
    <>
      <Words id="authentication" part={text.authentication} />
      <Words id="answers" part={text.answers} />
      {tags.map((tag) => [<Calls key={tag} tag={tag} />, tag === 'Images' && <Parameters key="parameters" />])}
      <Section id="repeats" title={text.repeats.title} label={text.repeats.title} aside={<Example name="retry" />}>
        <Paragraphs text={text.repeats.text} />
      </Section>
      <HeadersPart />
      <LimitsPart />
      <PlansPart />
      <SandboxPart />
      <ErrorsPart />
      <ChangesPart />
    </>
  );
}
