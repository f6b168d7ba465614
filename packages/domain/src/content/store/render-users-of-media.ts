import { AppError } from '@uprez/contracts/errors/app-error';
import { lockArticle, readArticle } from '@uprez/db/queries/content/articles';
import { discardPreviews, listUsers, replaceHtml } from '@uprez/db/queries/content/media-uses';
import type { Needs } from '../../context.ts';
import { renderText } from '../text/render-text.ts';
import { withFiles } from './files-of-texts.ts';

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
  const article = (await readArticle(ctx.db, id))?.article;
  if (!article || article.status === 'draft') return;
  const { contentMd } = article;
  try {
    await withFiles(ctx, contentMd, async ({ files, keep }) => {
      const { html } = await renderText(contentMd, files);
      await ctx.db.transaction().execute(async (tx) => {
        await lockArticle(tx, id);
        await keep(tx);
        await replaceHtml(tx, { id, contentMd, html });
      });
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'markup_invalid') throw error;
  }
}
