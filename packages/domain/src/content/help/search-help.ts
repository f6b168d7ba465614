import { helpLimits } from '@uprez/contracts/policy/articles';
import type { HelpSearch, TextPart } from '@uprez/contracts/schemas/content/help';
import {
  anyQuery,
  type FoundText,
  findHelpTexts,
  findSimilarWord,
  isWordFound,
  lessThan,
  matchMarks,
  prefixQuery,
  wholeQuery,
} from '@uprez/db/queries/content/help-search';
import { countSearch } from '@uprez/db/queries/content/help-statistics';
import type { Needs } from '../../context.ts';

/** Searches the help articles like `findHelp`, and counts the search. */
export async function searchHelp({ db }: Needs<'db'>, text: string): Promise<HelpSearch> {
  const found = await findHelp({ db }, text);
  const term = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  // What was only found after a correction is missing from the articles, too.
  const missed = found.results.length === 0 || found.suggestion !== null;
  await countSearch(db, { term, missed, terms: helpLimits.termsPerDay });
  return found;
}

/**
 * Searches the public help articles: for the words of a text; if there are none, for its last word as the start of a word;
 * then for the most similar words; and then for some of its words.
 */
export async function findHelp(ctx: Needs<'db'>, text: string): Promise<HelpSearch> {
  const results = await findWords(ctx, text);
  if (results.length > 0) return { results, suggestion: null };
  const corrected = await correct(ctx, text);
  const others = corrected === undefined ? [] : await findWords(ctx, corrected);
  if (corrected !== undefined && others.length > 0) return { results: others, suggestion: corrected };
  return { results: await findAny(ctx, text), suggestion: null };
}

/** Articles with some of the words. None for a phrase in quotes or an excluded word, which ask for more than that. */
async function findAny({ db }: Needs<'db'>, text: string) {
  if (/"|(^|\s)-/.test(text)) return [];
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return (await findHelpTexts(db, anyQuery(words), helpLimits.results)).map(presentResult);
}

async function findWords({ db }: Needs<'db'>, text: string) {
  const whole = await findHelpTexts(db, wholeQuery(text), helpLimits.results);
  if (whole.length > 0) return whole.map(presentResult);
  const [, before = '', prefix] = /^(.*?)([\p{L}\p{N}]+)$/su.exec(text.trim()) ?? [];
  if (prefix === undefined) return [];
  return (await findHelpTexts(db, prefixQuery({ before, prefix }), helpLimits.results)).map(presentResult);
}

/** The text with words that are in articles, in place of similar ones that aren't. Undefined: no word is to be replaced. */
async function correct({ db }: Needs<'db'>, text: string): Promise<string | undefined> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length > helpLimits.correctedWords) return undefined;
  const corrected: string[] = [];
  for (const word of words) {
    const isKnown = await isWordFound(db, word);
    corrected.push((isKnown ? undefined : await findSimilarWord(db, word, helpLimits.similarity)) ?? word);
  }
  return corrected.every((word, index) => word === words[index]) ? undefined : corrected.join(' ');
}

const presentResult = ({ slug, category, title, excerpt }: FoundText): HelpSearch['results'][number] => ({
  slug,
  category,
  title: toParts(title),
  excerpt: toParts(excerpt),
});

const marks = new RegExp(`[${matchMarks.start}${matchMarks.end}]`);

/** Texts before, in, and after matches alternate. */
const toParts = (marked: string): TextPart[] =>
  marked
    .split(marks)
    .map((text, index) => ({ text: text.replaceAll(lessThan, '<'), isMatch: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
