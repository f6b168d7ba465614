import { publicErrorCodes } from '@uprez/contracts/docs/public-errors';
import { documentationPage } from '@uprez/contracts/texts/site/pages';
import { codeMessages } from '../../ui/code/messages.ts';
import type { OutlineEntry } from '../../ui/layout/outline.tsx';
import { documentationMessages as text } from './messages.ts';
import { calls, parameters } from './reference-data.ts';

export const tabNames = ['start', 'reference', 'examples', 'sdks'] as const;
export type TabName = (typeof tabNames)[number];

const { start, reference, sdks } = text.sections;
const titles = { ...start, ...reference, ...codeMessages.examples, ...sdks };
export type SectionId = keyof typeof titles;
export const titleOf = (id: SectionId): string => titles[id];
export const parameterId = (name: string): string => `parameter-${name}`;

const toEntries = (sections: Record<string, string>): OutlineEntry[] =>
  Object.entries(sections).map(([id, label]) => ({ id, label }));

export const outlines: Record<TabName, readonly OutlineEntry[]> = {
  start: toEntries(start),
  reference: toEntries(reference),
  examples: toEntries(codeMessages.examples),
  sdks: toEntries(sdks),
};

/** `words`: additional search terms. */
type Place = OutlineEntry & { kind: keyof typeof text.search.kinds; tab: TabName; words?: string };

const makePlace = (kind: Place['kind'], tab: TabName, entry: Pick<Place, 'id' | 'label' | 'words'>): Place => ({
  kind,
  tab,
  ...entry,
});

/** Everything in the documentation that a link can lead to. */
export const places: readonly Place[] = [
  ...tabNames.flatMap((tab) =>
    outlines[tab].map((entry) => makePlace(tab === 'examples' ? 'example' : 'part', tab, entry)),
  ),
  ...calls.map(({ name, method, path, summary }) =>
    makePlace('call', 'reference', { id: name, label: `${method} ${path}`, words: summary }),
  ),
  ...parameters.map(({ name, description, aliases }) =>
    makePlace('parameter', 'reference', {
      id: parameterId(name),
      label: name,
      words: [description, ...aliases].join(' '),
    }),
  ),
  ...publicErrorCodes.map((code) => makePlace('error', 'reference', { id: code, label: code })),
];

export const tabOf = (id: string): TabName | undefined => places.find((entry) => entry.id === id)?.tab;

const normalize = (words: string) => words.toLowerCase().replace(/[_-]+/g, ' ');
const snippetLength = 90;

function cutSnippet(text: string, words: readonly string[]): string {
  const normalized = normalize(text);
  const at = Math.min(...words.map((word) => normalized.indexOf(word)).filter((index) => index >= 0));
  const start = at < snippetLength / 2 ? 0 : text.indexOf(' ', at - snippetLength / 2) + 1;
  const end = text.length - start <= snippetLength ? text.length : text.lastIndexOf(' ', start + snippetLength);
  return `${start > 0 ? '... ' : ''}${text.slice(start, end)}${end < text.length ? ' ...' : ''}`;
}

/** `snippet`: excerpt from the section's text. Set only if some words match neither the label nor the search terms. */
export type PlaceMatch = Place & { snippet?: string };

/**
 * Finds the places that match every word in a query. Labels that start with the query rank first, followed by other
 * matching labels, search terms, and section texts. `texts`: section texts by place ID.
 */
export function findPlaces(query: string, texts: Readonly<Record<string, string>> = {}): PlaceMatch[] {
  const words = normalize(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const isIn = (text: string) => words.every((word) => normalize(text).includes(word));
  const rank = ({ id, label, words: terms = '' }: Place): number | undefined => {
    if (normalize(label).startsWith(words.join(' '))) return 0;
    if (isIn(label)) return 1;
    if (isIn(`${label} ${terms}`)) return 2;
    return isIn(`${label} ${texts[id] ?? ''}`) ? 3 : undefined;
  };
  return places
    .map((place) => ({ place, rank: rank(place) }))
    .filter((found): found is { place: Place; rank: number } => found.rank !== undefined)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ place, rank }) => (rank < 3 ? place : { ...place, snippet: cutSnippet(texts[place.id] ?? '', words) }));
}

/** Returns the URL of a place. The first tab has no query parameter. */
export const sectionUrl = ({ tab, id }: Pick<Place, 'tab' | 'id'>): string =>
  `${documentationPage}${tab === tabNames[0] ? '' : `?tab=${tab}`}#${id}`;
