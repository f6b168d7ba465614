import { AppError } from '@uprez/contracts/errors/app-error';
import { helpLimits } from '@uprez/contracts/policy/articles';
import type { SearchCount, VoteCount } from '@uprez/contracts/schemas/content/help';
import { countVote, listSearchCounts, listVoteCounts } from '@uprez/db/queries/content/help-statistics';
import { findPublicArticle } from '@uprez/db/queries/content/public-articles';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';

const { statisticDays: days, statisticRows: limit } = helpLimits;

/** Counts a vote on whether a public help article was helpful. Throws `article_not_found`. */
export async function voteHelpArticle(
  { db }: Needs<'db'>,
  { slug, helpful }: { slug: string; helpful: boolean },
): Promise<void> {
  const found = isSlug(slug) ? await findPublicArticle(db, ['help'], slug.toLowerCase()) : undefined;
  if (!found) throw new AppError('article_not_found');
  await countVote(db, { id: found.id, helpful });
}

/**
 * Returns the most frequent searches of the last `helpLimits.statisticDays` days. `missed`: only searches that found
 * nothing without a correction.
 */
export const listSearches = ({ db }: Needs<'db'>, { missed }: { missed: boolean }): Promise<SearchCount[]> =>
  listSearchCounts(db, { missed, days, limit });

/** Returns the votes of the last `helpLimits.statisticDays` days by article, least helpful first. */
export const listVotes = ({ db }: Needs<'db'>): Promise<VoteCount[]> => listVoteCounts(db, { days, limit });
