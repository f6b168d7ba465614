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
    // Target of an error's `documentation_url`.
    id: code,
    detail: retry ? `${status} · ${text.again}` : String(status),
    says: hint ? `${title} ${hint}` : title,
  };
});

/** All error codes of the public API, with cause and solution. */
export function ErrorsPart() {
  return (
    <Section id="errors" title={text.title} label={text.title}>
      <Paragraphs text={text.text} />
      <FactList label={text.title} facts={facts} />
    </Section>
  );
}
