import { AppError } from '@uprez/contracts/errors/app-error';
import { articleLimits, helpLimits } from '@uprez/contracts/policy/articles';
import { listStaleArticles, publishScheduledArticles, purgeArticles } from '@uprez/db/queries/content/articles';
import { deleteHelpStatistics } from '@uprez/db/queries/content/help-statistics';
import { listStaleMedia } from '@uprez/db/queries/content/media-uses';
import { deleteExpiredPreviewLinks } from '@uprez/db/queries/content/preview-links';
import { pruneRevisions } from '@uprez/db/queries/content/revisions';
import type { Needs } from '../context.ts';
import { renderMediaUsers, rerenderArticle } from './store/render-media-users.ts';
import { rendererVersion } from './text/render-text.ts';

/**
 * Renders articles again if their HTML was made by another version of the renderer or with another release's plan
 * values. Also renders articles that may still show an old version of a file, because a gateway stopped before
 * rendering them. Texts that can no longer be rendered keep their HTML. Returns how many articles and changed files
 * were rendered. Safe to repeat, and to run in several processes concurrently.
 */
export async function renderStaleArticles(ctx: Needs<'db' | 'log'>): Promise<number> {
  let count = 0;
  for (const id of await listStaleArticles(ctx.db, rendererVersion)) if (await renderStaleArticle(ctx, id)) count += 1;
  for (const id of await listStaleMedia(ctx.db)) if (await renderMediaUsers(ctx, id)) count += 1;
  return count;
}

async function renderStaleArticle(ctx: Needs<'db' | 'log'>, id: string): Promise<boolean> {
  try {
    return await rerenderArticle(ctx, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ articleId: id, reason: error.message }, 'article not rendered again');
    return false;
  }
}

/** Publishes the scheduled articles that are due. Returns how many. Safe to run in several processes concurrently. */
export async function publishDueArticles({ db }: Needs<'db'>): Promise<number> {
  let count = 0;
  for (
    let published = await publishScheduledArticles(db);
    published.length > 0;
    published = await publishScheduledArticles(db)
  )
    count += published.length;
  return count;
}

/**
 * Deletes articles that can no longer be restored, old searches and votes in the help center, and expired preview
 * links. Also thins out each article's autosaves: of those older than a day, keeps the last one per hour. Returns how
 * many rows were deleted.
 */
export async function deleteOldContent({ db }: Needs<'db'>): Promise<number> {
  const articles = await purgeArticles(db, articleLimits.deletedDays * 86_400);
  const statistics = await deleteHelpStatistics(db, helpLimits.statisticDays);
  return articles + statistics + (await deleteExpiredPreviewLinks(db)) + (await pruneRevisions(db, 86_400));
}
