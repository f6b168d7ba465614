import type { Needs } from '../../context.ts';
import { type ArticleChange, changeArticle, requireArticle } from '../store/change-article.ts';
import { withFiles } from '../store/files-of-texts.ts';
import type { LegalOptions } from '../store/legal-version.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';
import { putPublic, requireComplete } from '../store/put-public.ts';
import { articleFieldsOf } from '../text/article-fields.ts';
import { renderText } from '../text/render-text.ts';

type Publishing = Required<Pick<ArticleChange, 'admin' | 'id' | 'seen'>> & {
  publishAt?: string | undefined;
  legal?: LegalOptions | undefined;
};

/**
 * Publishes the draft of an article now or, with `publishAt`, at that time. `legal`: of the version of a legal text. Throws
 * `markup_invalid`, `slug_taken`, `invalid_parameter` for an incomplete text or a wrong time, and the errors of
 * `changeArticle`.
 */
export async function publishArticle(
  ctx: Needs<'db'>,
  { publishAt, legal, ...change }: Publishing,
): Promise<ArticleView> {
  const { draft } = await requireArticle(ctx, change);
  requireComplete(articleFieldsOf(draft));
  const reason = publishAt === undefined ? 'publish' : 'schedule';
  const timing = publishAt === undefined ? { publishedAt: undefined } : { publishAt: new Date(publishAt) };
  const found = await withFiles(ctx, draft.contentMd, async ({ files, keep }) => {
    // Before the transaction, as it takes seconds. The version ensures that the same text is published.
    const rendered = await renderText(draft.contentMd, files);
    return changeArticle(ctx, change, async (tx, held) => {
      await keep(tx);
      await putPublic(tx, { admin: change.admin, held, rendered, timing, reason, legal });
    });
  });
  return presentArticle(found);
}
