import type { Needs } from '../../context.ts';
import { type ArticleChange, changeArticle } from '../store/change-article.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';
import { requireChangeable } from '../store/require-changeable.ts';
import { unpublish } from '../store/unpublish.ts';

/** Makes a public or scheduled article a draft again. Does nothing for a draft. Throws `article_fixed` and the errors of `changeArticle`. */
export const unpublishArticle = async (ctx: Needs<'db'>, change: ArticleChange): Promise<ArticleView> =>
  presentArticle(
    await changeArticle(ctx, change, async (tx, held) => {
      requireChangeable(held.article);
      await unpublish(tx, { admin: change.admin, held, reason: 'unpublish' });
    }),
  );
