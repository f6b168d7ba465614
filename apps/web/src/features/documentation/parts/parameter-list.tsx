import { documentationMessages } from '../messages.ts';
import { parameterId } from '../outline-data.ts';
import { parameters } from '../reference-data.ts';
import { FactList } from './fact-list.tsx';

const text = documentationMessages.parameters;

const facts = parameters.map(({ name, allowed, description, fallback, aliases }) => ({
  name,
  id: parameterId(name),
  detail: [
    allowed,
    ...(fallback === undefined ? [] : [text.fallback(fallback)]),
    ...(aliases.length > 0 ? [text.aliases(aliases.join(', '))] : []),
  ].join(' · '),
  description,
}));

/** Every image option. */
export const ParameterList = () => <FactList label={documentationMessages.sections.parameters} facts={facts} />;
