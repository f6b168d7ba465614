import { documentationPage } from '@uprez/contracts/texts/pages';
import { codeMessages } from '../../ui/code/messages.ts';
import type { Entry } from '../../ui/layout/outline.tsx';
import { documentationMessages as text } from './messages.ts';
import { calls, parameters, publicErrors } from './reference-data.ts';

export const tabNames = ['start', 'reference', 'examples', 'sdks'] as const;
export type TabName = (typeof tabNames)[number];

const { start, reference, sdks } = text.sections;
const titles = { ...start, ...reference, ...codeMessages.examples, ...sdks };
export type SectionId = keyof typeof titles;
export const titleOf = (id: SectionId): string => titles[id];
export const parameterId = (name: string): string => `parameter-${name}`;

const entries = (sections: Record<string, string>): Entry[] =>
  Object.entries(sections).map(([id, label]) => ({ id, label }));

export const outlines: Record<TabName, readonly Entry[]> = {
  start: entries(start),
  reference: entries(reference),
  examples: entries(codeMessages.examples),
  sdks: entries(sdks),
};

/** `words`: additional search terms. */
type Place = Entry & { kind: keyof typeof text.search.kinds; tab: TabName; words?: string };

const place = (kind: Place['kind'], tab: TabName, entry: Pick<Place, 'id' | 'label' | 'words'>): Place => ({
  kind,
  tab,
  ...entry,
});

/** Every link target of the documentation. */
export const places: readonly Place[] = [
  ...tabNames.flatMap((tab) =>
    outlines[tab].map((entry) => place(tab === 'examples' ? 'example' : 'part', tab, entry)),
  ),
  ...calls.map(({ name, method, path, summary }) =>
    place('call', 'reference', { id: name, label: `${method} ${path}`, words: summary }),
  ),
  ...parameters.map(({ name, description, aliases }) =>
    place('parameter', 'reference', { id: parameterId(name), label: name, words: [description, ...aliases].join(' ') }),
  ),
  ...publicErrors.map((code) => place('error', 'reference', { id: code, label: code })),
];

/** Returns the tab that contains an ID. */
export const tabOf = (id: string): TabName | undefined => places.find((entry) => entry.id === id)?.tab;

const normalize = (words: string) => words.toLowerCase().replace(/[_-]+/g, ' ');

/** Finds places that match every word of a query. Labels that start with the query come first. */
export function findPlaces(query: string): Place[] {
  const words = normalize(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const rank = ({ label }: Place) => {
    const name = normalize(label);
    return name.startsWith(words.join(' ')) ? 0 : words.every((word) => name.includes(word)) ? 1 : 2;
  };
  return places
    .filter((entry) => words.every((word) => normalize(`${entry.label} ${entry.words ?? ''}`).includes(word)))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the URL of a place. The first tab has no query parameter. */
export const sectionUrl = ({ tab, id }: Pick<Place, 'tab' | 'id'>): string =>
  `${documentationPage}${tab === tabNames[0] ? '' : `?tab=${tab}`}#${id}`;
