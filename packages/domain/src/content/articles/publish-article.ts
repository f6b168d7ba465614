import type { RevisionReason } from '@uprez/contracts/policy/articles';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Tx } from '@uprez/db/database';
import { type ArticleWithDraft, updateArticle } from '@uprez/db/queries/content/articles';
import { insertRevision } from '@uprez/db/queries/content/revisions';
import type { Administrator } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { auditArticle } from '../store/audit-article.ts';
import { type ArticleChange, changeArticle, requireArticle, requireChangeable } from '../store/change-article.ts';
import { replaceMediaUses, withFiles } from '../store/files-of-texts.ts';
import type { LegalOptions } from '../store/legal-version.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';
import { publishOrSchedule, requireComplete } from '../store/publish-or-schedule.ts';
import { articleFieldsOf } from '../text/article-fields.ts';
import { renderText } from '../text/render-text.ts';

type PublishInput = Required<Pick<ArticleChange, 'admin' | 'id' | 'seen'>> & {
  publishAt?: string | undefined;
  legal?: LegalOptions | undefined;
};

/**
 * Publishes an article's draft immediately, or at `publishAt`. `legal`: options for the new version of a legal text.
 * Throws `markup_invalid`, `slug_taken`, `invalid_parameter` if the text is incomplete or the time is invalid, and the
 * errors of `changeArticle`.
 */
export async function publishArticle(
  ctx: Needs<'db'>,
  { publishAt, legal, ...change }: PublishInput,
): Promise<ArticleView> {
  const { draft } = await requireArticle(ctx, change);
  requireComplete(articleFieldsOf(draft));
  const reason = publishAt === undefined ? 'publish' : 'schedule';
  const timing = publishAt === undefined ? { publishedAt: undefined } : { publishAt: new Date(publishAt) };
  const found = await withFiles(ctx, draft.contentMd, async ({ files, keep }) => {
    // Rendered before the transaction, because rendering can take seconds. The version check in `changeArticle` ensures
    // that this same text is published.
    const rendered = await renderText(draft.contentMd, files);
    return changeArticle(ctx, change, async (tx, held) => {
      await keep(tx);
      await publishOrSchedule(tx, { admin: change.admin, held, rendered, timing, reason, legal });
    });
  });
  return presentArticle(found);
}

/**
 * Changes a public or scheduled article back to a draft. Does nothing for a draft. Throws `article_fixed` and the
 * errors of `changeArticle`.
 */
export const unpublishArticle = async (ctx: Needs<'db'>, change: ArticleChange): Promise<ArticleView> =>
  presentArticle(
    await changeArticle(ctx, change, async (tx, held) => {
      requireChangeable(held.article);
      await unpublish(tx, { admin: change.admin, held, reason: 'unpublish' });
    }),
  );

/** `reason`: undefined if the caller adds a revision. `fields`: the draft's fields, if the caller has changed them. */
type Removal = { admin: Administrator; held: ArticleWithDraft; reason?: RevisionReason; fields?: ArticleFields };

/** Changes an article back to a draft. Keeps its text and slug. Does nothing for a draft. */
export async function unpublish(
  tx: Tx,
  { admin, held: { article, draft }, reason, fields = articleFieldsOf(draft) }: Removal,
): Promise<void> {
  if (article.status === 'draft') return;
  const after = { status: 'draft', publishAt: null, publishedAt: null } as const;
  await updateArticle(tx, article.id, after);
  await replaceMediaUses(tx, article.id, [fields]);
  if (reason) await insertRevision(tx, { articleId: article.id, fields, reason, editorId: admin.accountId });
  await auditArticle(tx, { admin, action: 'article.unpublish', before: article, after });
}
