import { articleLimits, helpLimits } from '@uprez/contracts/policy/articles';
import { purgeArticles } from '@uprez/db/queries/content/articles';
import { deleteHelpStatistics } from '@uprez/db/queries/content/help-statistics';
import { deleteExpiredPreviewLinks } from '@uprez/db/queries/content/preview-links';
import { thinRevisions } from '@uprez/db/queries/content/revisions';
import type { Needs } from '../context.ts';

/**
 * Deletes articles that can no longer be restored, old searches and votes of the help center, expired preview links, and all but one autosave an hour of those that are
 * older than a day. Returns how many rows.
 */
export async function deleteOldContent({ db }: Needs<'db'>): Promise<number> {
  const articles = await purgeArticles(db, articleLimits.deletedDays * 86_400);
  const statistics = await deleteHelpStatistics(db, helpLimits.statisticDays);
  return articles + statistics + (await deleteExpiredPreviewLinks(db)) + (await thinRevisions(db, 86_400));
}
