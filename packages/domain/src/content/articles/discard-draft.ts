import { listArticleCategories } from '@uprez/db/queries/content/categories';
import type { Needs } from '../../context.ts';
import { type ArticleChange, changeArticle } from '../store/change-article.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';
import { writeDraft } from '../store/write-draft.ts';
import { publicFieldsOf } from '../text/article-fields.ts';

/**
 * Replaces the draft by the text that is public or scheduled. Does nothing for articles that are neither. Throws the errors of
 * `changeArticle`.
 */
export const discardDraft = async (ctx: Needs<'db'>, change: ArticleChange): Promise<ArticleView> =>
  presentArticle(
    await changeArticle(ctx, change, async (tx, held) => {
      const { article, draft } = held;
      if (article.status === 'draft' || !draft.hasChanges) return;
      const fields = publicFieldsOf(article, await listArticleCategories(tx, article.id));
      await writeDraft(tx, { held, fields, reason: 'restore', admin: change.admin });
    }),
  );
