import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { errorHints } from '@uprez/contracts/errors/error-hints';
import { documentationMessages } from '../messages.ts';
import { publicErrors } from '../reference-data.ts';
import { FactList } from './fact-list.tsx';

const facts = publicErrors.map((code) => {
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

/** Every error code of the public API. */
export const ErrorList = () => <FactList label={documentationMessages.sections.errors} facts={facts} />;
