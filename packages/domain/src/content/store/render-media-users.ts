import { AppError } from '@uprez/contracts/errors/app-error';
import { lockArticle, readArticle, replaceHtml } from '@uprez/db/queries/content/articles';
import { storeSearchText } from '@uprez/db/queries/content/help-search';
import {
  clearDraftPreviews,
  findMediaChange,
  listArticlesUsingMedia,
  recordShownChange,
} from '@uprez/db/queries/content/media-uses';
import type { Needs } from '../../context.ts';
import { toPlainText } from '../text/plain-text.ts';
import { rendererVersion, renderText } from '../text/render-text.ts';
import { withFiles } from './files-of-texts.ts';

/**
 * Renders the public texts that use a file again, after the file was replaced or its alternative text changed. Must be
 * called after the transaction that changed the file, because this function locks articles before files. Returns false
 * on failure; a scheduled task then retries.
 */
export async function renderMediaUsers(ctx: Needs<'db' | 'log'>, mediaId: string): Promise<boolean> {
  try {
    const found = await findMediaChange(ctx.db, mediaId);
    await clearDraftPreviews(ctx.db, mediaId);
    for (const id of await listArticlesUsingMedia(ctx.db, mediaId)) await renderPublicText(ctx, id);
    if (found) await recordShownChange(ctx.db, mediaId, found.change);
    return true;
  } catch (error) {
    ctx.log.warn({ err: error, mediaId }, 'articles with a changed file not rendered again, will retry');
    return false;
  }
}

/**
 * Renders an article's public text again. If the text can no longer be published, it stays unchanged, and the next
 * publication reports the error. Legal texts stay unchanged, too, because users accepted them as shown.
 */
async function renderPublicText(ctx: Needs<'db'>, id: string): Promise<void> {
  const found = await readArticle(ctx.db, id);
  if (!found || found.article.status === 'draft' || found.article.kind === 'legal') return;
  try {
    await rerenderArticle(ctx, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'markup_invalid') throw error;
  }
}

/**
 * Renders an article's public text again, because something that the text refers to has changed. Keeps the article's
 * version and times, because open editors must still be able to save. Returns false if the text has changed in the
 * meantime, because that change already rendered it. Throws `markup_invalid` if the text can no longer be published.
 */
export async function rerenderArticle({ db }: Needs<'db'>, id: string): Promise<boolean> {
  const found = await readArticle(db, id);
  if (!found) return false;
  const { contentMd } = found.article;
  return await withFiles({ db }, contentMd, async ({ files, keep }) => {
    const { html } = await renderText(contentMd, files);
    return db.transaction().execute(async (tx) => {
      const held = await lockArticle(tx, id);
      await keep(tx);
      if (held?.article.contentMd !== contentMd) return false;
      const { kind, title, excerpt } = held.article;
      await replaceHtml(tx, { id, html, rendererVersion });
      if (kind === 'help') await storeSearchText(tx, { articleId: id, title, excerpt, body: toPlainText(html) });
      return true;
    });
  });
}
