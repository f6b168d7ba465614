import { answerExamples } from '@uprez/contracts/docs/openapi/examples';
import { plans, tiers } from '@uprez/contracts/policy/plans';
import { formatAlternatives } from '@uprez/contracts/texts/format';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { Example } from '../../../ui/code/example.tsx';
import { JsonPanel } from '../../../ui/code/json-panel.tsx';
import { useReader } from '../../../ui/code/reader.ts';
import { documentationMessages } from '../messages.ts';
import { Paragraphs, RichText } from '../parts/rich-text.tsx';
import { Section } from '../parts/section.tsx';

const text = documentationMessages.start;
const namesOfPlans = formatAlternatives(tiers.filter((tier) => plans[tier].api).map((tier) => plans[tier].name));

function KeySteps() {
  return (
    <ol className="grid max-w-2xl list-decimal gap-2 pl-5 text-sm marker:text-muted marker:tabular-nums">
      {text.key.steps(namesOfPlans).map((step) => (
        <li key={step} className="text-pretty">
          <RichText>{step}</RichText>
        </li>
      ))}
    </ol>
  );
}

function Next() {
  return (
    <>
      <ul className="grid gap-3 sm:grid-cols-2">
        {text.next.links.map(([label, to, says]) => (
          <li key={to}>
            <Link
              to={to}
              className="group grid h-full content-start gap-1 rounded-card border border-line bg-surface p-4 hover:border-edge"
            >
              <span className="flex items-center justify-between gap-2 font-medium text-sm">
                {label}
                <ArrowRight aria-hidden="true" strokeWidth={1.75} className="size-4 shrink-0 text-muted" />
              </span>
              <span className="text-muted text-sm">{says}</span>
            </Link>
          </li>
        ))}
      </ul>
      <ul className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {text.next.files.map(([label, href]) => (
          <li key={href}>
            <a href={href} className="underline decoration-edge underline-offset-2 hover:decoration-current">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The quick start. */
export function StartTab() {
  const { address } = useReader();
  return (
    <>
      <Section id="key" title={text.key.title} label={text.key.title}>
        <KeySteps />
      </Section>
      <Section id="first-image" title={text.first.title} label={text.first.title} aside={<Example name="upscale" />}>
        <Paragraphs text={`${text.first.text}\n\n${text.first.reads}`} />
      </Section>
      <Section
        id="answer"
        title={text.answer.title}
        label={text.answer.title}
        aside={<JsonPanel title={documentationMessages.answer} value={answerExamples(address).v1GetJob} />}
      >
        <Paragraphs text={`${text.answer.text}\n\n${text.answer.failed}`} />
      </Section>
      <Section id="address" title={text.address.title} label={text.address.title}>
        <Paragraphs text={text.address.text(address)} />
      </Section>
      <Section id="next" title={text.next.title} label={text.next.title}>
        <Next />
      </Section>
    </>
  );
}
