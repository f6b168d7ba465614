import { AppError } from '@uprez/contracts/errors/app-error';
import { type ArticleRow, readArticle } from '@uprez/db/queries/content/articles';
import { storeSearchText } from '@uprez/db/queries/content/help-search';
import { listStaleArticles, replaceHtml } from '@uprez/db/queries/content/stale-articles';
import type { Needs } from '../context.ts';
import { withFiles } from './store/files-of-texts.ts';
import { toPlainText } from './text/plain-text.ts';
import { rendererVersion, renderText } from './text/render-text.ts';

/**
 * Renders the articles again whose HTML is of another renderer, or has values of plans of another release. Texts that can't be
 * rendered anymore keep their HTML. Returns how many were rendered. Safe to repeat, and to run in several processes at once.
 */
export async function renderStaleArticles(ctx: Needs<'db' | 'log'>): Promise<number> {
  let count = 0;
  for (const id of await listStaleArticles(ctx.db, rendererVersion)) {
    const article = (await readArticle(ctx.db, id))?.article;
    if (article && (await renderAgain(ctx, article))) count += 1;
  }
  return count;
}

async function renderAgain({ db, log }: Needs<'db' | 'log'>, article: ArticleRow): Promise<boolean> {
  const { id, kind, version, title, excerpt, contentMd } = article;
  try {
    return await withFiles({ db }, contentMd, async ({ files, keep }) => {
      const { html } = await renderText(contentMd, files);
      return db.transaction().execute(async (tx) => {
        const isReplaced = await replaceHtml(tx, { id, version, html, rendererVersion });
        await keep(tx);
        if (isReplaced && kind === 'help')
          await storeSearchText(tx, { articleId: id, title, excerpt, body: toPlainText(html) });
        return isReplaced;
      });
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ articleId: id, reason: error.message }, 'article not rendered again');
    return false;
  }
}
