import { AppError } from '@uprez/contracts/errors/app-error';
import { readArticle } from '@uprez/db/queries/content/articles';
import { discardPreviews, listUsers } from '@uprez/db/queries/content/media-uses';
import type { Needs } from '../../context.ts';
import { renderAgain } from './render-again.ts';

/**
 * Renders the public texts that use a file again, after it was replaced or its alternative text changed. Call it after the
 * transaction that changed the file: it locks articles before files.
 */
export async function renderArticlesUsing(ctx: Needs<'db'>, mediaId: string): Promise<void> {
  await discardPreviews(ctx.db, mediaId);
  for (const id of await listUsers(ctx.db, mediaId)) await renderPublic(ctx, id);
}

/** A text that can no longer be published stays as it is: its next publication says why. */
async function renderPublic(ctx: Needs<'db'>, id: string): Promise<void> {
  const found = await readArticle(ctx.db, id);
  if (!found || found.article.status === 'draft') return;
  try {
    await renderAgain(ctx, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'markup_invalid') throw error;
  }
}
