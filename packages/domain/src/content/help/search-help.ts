import { AppError } from '@uprez/contracts/errors/app-error';
import { helpLimits } from '@uprez/contracts/policy/articles';
import type { HelpSearch, SearchCount, TextPart, VoteCount } from '@uprez/contracts/schemas/content/help';
import {
  anyQuery,
  correctWords,
  type FoundText,
  findHelpTexts,
  lessThanMark,
  matchMarks,
  prefixQuery,
  type SearchQuery,
  wholeQuery,
} from '@uprez/db/queries/content/help-search';
import { listSearchCounts, listVoteCounts, recordSearch, recordVote } from '@uprez/db/queries/content/help-statistics';
import { findPublicArticle } from '@uprez/db/queries/content/public-articles';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';

/** Searches the help articles like `findHelp`, and counts the search. */
export async function searchHelp({ db }: Needs<'db'>, text: string): Promise<HelpSearch> {
  const found = await findHelp({ db }, text);
  const term = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  // Counts corrected searches as missed, too, because no article contains the term as it was entered.
  const missed = found.results.length === 0 || found.suggestion !== null;
  await recordSearch(db, { term, missed, terms: helpLimits.termsPerDay });
  return found;
}

/**
 * Searches the public help articles. Tries these searches in order until one has results: all words, all words with the
 * last one as a prefix, the same two with unknown words replaced by similar ones, and any of the words.
 */
export async function findHelp({ db }: Needs<'db'>, text: string): Promise<HelpSearch> {
  const found = await findHelpTexts(db, toAllWordsQueries(text), helpLimits.results);
  if (found.length > 0) return { results: found.map(presentResult), suggestion: null };
  const corrected = await correctSpelling({ db }, text);
  const ofWords = corrected === undefined ? [] : toAllWordsQueries(corrected);
  const searches = [...ofWords, ...toAnyWordQueries(text)];
  const others = searches.length === 0 ? [] : await findHelpTexts(db, searches, helpLimits.results);
  const isCorrected = others[0] !== undefined && others[0].search < ofWords.length;
  return { results: others.map(presentResult), suggestion: isCorrected ? (corrected ?? null) : null };
}

function toAllWordsQueries(text: string): SearchQuery[] {
  const [, before = '', prefix] = /^(.*?)([\p{L}\p{N}]+)$/su.exec(text.trim()) ?? [];
  return [wholeQuery(text), ...(prefix === undefined ? [] : [prefixQuery({ before, prefix })])];
}

/**
 * Returns the query for any of the words. Returns no query if the text has a quoted phrase or an excluded word, because
 * this query would ignore them.
 */
const toAnyWordQueries = (text: string): SearchQuery[] =>
  /"|(^|\s)-/.test(text) ? [] : [anyQuery(text.match(/[\p{L}\p{N}]+/gu) ?? [])];

/**
 * Replaces words that aren't in any article with similar words that are. Returns undefined if no word is replaced or
 * the text has too many words.
 */
async function correctSpelling({ db }: Needs<'db'>, text: string): Promise<string | undefined> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0 || words.length > helpLimits.correctedWords) return undefined;
  const corrected = await correctWords(db, words, helpLimits.similarity);
  return corrected.every((word, index) => word === words[index]) ? undefined : corrected.join(' ');
}

const presentResult = ({ slug, category, title, excerpt }: FoundText): HelpSearch['results'][number] => ({
  slug,
  category,
  title: toParts(title),
  excerpt: toParts(excerpt),
});

const markPattern = new RegExp(`[${matchMarks.start}${matchMarks.end}]`);

/** Text outside matches alternates with text inside matches. */
const toParts = (marked: string): TextPart[] =>
  marked
    .split(markPattern)
    .map((text, index) => ({ text: text.replaceAll(lessThanMark, '<'), isMatch: index % 2 === 1 }))
    .filter(({ text }) => text !== '');

const { statisticDays: days, statisticRows: limit } = helpLimits;

/** Counts a vote on whether a public help article was helpful. Throws `article_not_found`. */
export async function voteHelpArticle(
  { db }: Needs<'db'>,
  { slug, helpful }: { slug: string; helpful: boolean },
): Promise<void> {
  const found = isSlug(slug) ? await findPublicArticle(db, ['help'], slug.toLowerCase()) : undefined;
  if (!found) throw new AppError('article_not_found');
  await recordVote(db, { id: found.id, helpful });
}

/**
 * Returns the most frequent searches in the last `helpLimits.statisticDays` days. `missed`: whether to return only
 * searches that had no results before their spelling was corrected.
 */
export const listSearches = ({ db }: Needs<'db'>, { missed }: { missed: boolean }): Promise<SearchCount[]> =>
  listSearchCounts(db, { missed, days, limit });

/** Returns the votes from the last `helpLimits.statisticDays` days for each article, least helpful article first. */
export const listVotes = ({ db }: Needs<'db'>): Promise<VoteCount[]> => listVoteCounts(db, { days, limit });
