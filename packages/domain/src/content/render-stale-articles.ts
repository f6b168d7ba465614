import { AppError } from '@uprez/contracts/errors/app-error';
import { listStaleArticles } from '@uprez/db/queries/content/articles';
import { listStaleMedia } from '@uprez/db/queries/content/media-uses';
import type { Needs } from '../context.ts';
import { renderAgain, showChange } from './store/show-change.ts';
import { rendererVersion } from './text/render-text.ts';

/**
 * Renders the articles again whose HTML is of another renderer, or has values of plans of another release, and those that use a
 * file whose change they may not show, as a gateway ended meanwhile. Texts that can't be rendered anymore keep their HTML.
 * Returns how many articles and changed files were rendered. Safe to repeat, and to run in several processes at once.
 */
export async function renderStaleArticles(ctx: Needs<'db' | 'log'>): Promise<number> {
  let count = 0;
  for (const id of await listStaleArticles(ctx.db, rendererVersion)) if (await renderStale(ctx, id)) count += 1;
  for (const id of await listStaleMedia(ctx.db)) if (await showChange(ctx, id)) count += 1;
  return count;
}

async function renderStale(ctx: Needs<'db' | 'log'>, id: string): Promise<boolean> {
  try {
    return await renderAgain(ctx, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ articleId: id, reason: error.message }, 'article not rendered again');
    return false;
  }
}
