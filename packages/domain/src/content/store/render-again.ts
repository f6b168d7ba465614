import { lockArticle, readArticle, replaceHtml } from '@uprez/db/queries/content/articles';
import { storeSearchText } from '@uprez/db/queries/content/help-search';
import type { Needs } from '../../context.ts';
import { toPlainText } from '../text/plain-text.ts';
import { rendererVersion, renderText } from '../text/render-text.ts';
import { withFiles } from './files-of-texts.ts';

/**
 * Renders the text that an article has in public again, because what it refers to has changed. Its version and its times stay,
 * so that open editors can save. Returns false if the text was changed meanwhile: then that change has rendered it. Throws
 * `markup_invalid` for a text that can't be published anymore.
 */
export async function renderAgain({ db }: Needs<'db'>, id: string): Promise<boolean> {
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
