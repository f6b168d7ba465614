import { exampleNames } from '../../ui/code/example-names.ts';
import { codeMessages } from '../../ui/code/messages.ts';
import { documentationMessages as text } from './messages.ts';
import type { Entry } from './parts/outline.tsx';
import type { TabName } from './parts/places.ts';
import { calls, parameters, publicErrors, tags } from './reference-data.ts';
import { referenceMessages as reference } from './reference-messages.ts';

const tagId = (tag: string) => tag.toLowerCase();
/** Id of the reference section with the calls of a tag. */
export const partOfTag = (tag: string): string => `calls-${tagId(tag)}`;
export const parameterId = (name: string): string => `parameter-${name}`;

const part = (id: string, { title }: { title: string }): Entry => ({ id, label: title });
const start = text.start;

/** The sections of each tab in their order, by id. */
export const outlines: Record<TabName, readonly Entry[]> = {
  start: [
    part('key', start.key),
    part('first-image', start.first),
    part('answer', start.answer),
    part('address', start.address),
    part('next', start.next),
  ],
  reference: [
    part('authentication', reference.authentication),
    part('answers', reference.answers),
    ...tags.flatMap((tag) => [
      { id: partOfTag(tag), label: reference.tags[tag] ?? tag },
      ...(tag === 'Images' ? [part('parameters', reference.parameters)] : []),
    ]),
    part('repeats', reference.repeats),
    part('headers', reference.headers),
    part('limits', reference.limits),
    part('plans', reference.plans),
    part('sandbox', reference.sandbox),
    part('errors', reference.errors),
    part('changes', reference.changes),
  ],
  examples: exampleNames.map((name) => part(name, codeMessages.examples[name])),
  sdks: [
    ...Object.entries(text.sdks.packages).map(([name, { title }]) => ({ id: `sdk-${name}`, label: title })),
    part('cli', text.sdks.cli),
  ],
};

type Kind = keyof typeof text.search.kinds;
export type Place = {
  tab: TabName;
  id: string;
  label: string;
  kind: Kind /** Search terms besides the label. */;
  words: string;
};

const place = (kind: Kind, tab: TabName, { id, label, words = '' }: Entry & { words?: string }): Place => ({
  tab,
  id,
  label,
  kind,
  words,
});

/** All link targets. */
export const places: readonly Place[] = [
  ...(Object.entries(outlines) as [TabName, readonly Entry[]][]).flatMap(([tab, entries]) =>
    entries.map((entry) => place(tab === 'examples' ? 'example' : 'part', tab, entry)),
  ),
  ...calls.map(({ name, method, path, summary }) =>
    place('call', 'reference', { id: name, label: `${method} ${path}`, words: summary }),
  ),
  ...parameters.map(({ name, says, aliases }) =>
    place('parameter', 'reference', { id: parameterId(name), label: name, words: `${says} ${aliases.join(' ')}` }),
  ),
  ...publicErrors.map((code) => place('error', 'reference', { id: code, label: code })),
];

/** The tab that contains a section. */
export const tabOf = (id: string): TabName | undefined => places.find((entry) => entry.id === id)?.tab;

const simple = (words: string) => words.toLowerCase().replace(/[_-]+/g, ' ');

/** Places that contain all words of a query. Those whose label starts with it come first. */
export function findPlaces(query: string): Place[] {
  const words = simple(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const rank = ({ label }: Place) => {
    const name = simple(label);
    return name.startsWith(words.join(' ')) ? 0 : words.every((word) => name.includes(word)) ? 1 : 2;
  };
  return places
    .filter((entry) => words.every((word) => simple(`${entry.label} ${entry.words}`).includes(word)))
    .toSorted((a, b) => rank(a) - rank(b));
}
