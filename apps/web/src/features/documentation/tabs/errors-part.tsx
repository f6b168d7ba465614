import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { errorHints } from '@uprez/contracts/errors/error-hints';
import { FactList } from '../parts/fact-list.tsx';
import { Paragraphs } from '../parts/rich-text.tsx';
import { Section } from '../parts/section.tsx';
import { publicErrors } from '../reference-data.ts';
import { referenceMessages } from '../reference-messages.ts';

const text = referenceMessages.errors;

const facts = publicErrors.map((code) => {
  const { status, title, retry } = errorCodes[code];
  const hint = errorHints[code];
  return {
    name: code,
    // Where `documentation_url` of an error leads.
    id: code,
    detail: retry ? `${status} · ${text.again}` : String(status),
    says: hint ? `${title} ${hint}` : title,
  };
});

/** Every code that the public API answers with, why, and what helps. */
export function ErrorsPart() {
  return (
    <Section id="errors" title={text.title} label={text.title}>
      <Paragraphs text={text.text} />
      <FactList label={text.title} facts={facts} />
    </Section>
  );
}
