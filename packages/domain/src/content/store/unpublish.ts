import type { RevisionReason } from '@uprez/contracts/policy/articles';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Tx } from '@uprez/db/database';
import { type ArticleWithDraft, updateArticle } from '@uprez/db/queries/content/articles';
import { insertRevision } from '@uprez/db/queries/content/revisions';
import type { Administrator } from '../../admin/administrator.ts';
import { articleFieldsOf } from '../text/article-fields.ts';
import { auditArticle } from './audit-article.ts';
import { noteUses } from './files-of-texts.ts';

/** `reason`: undefined if the caller adds a revision. `fields`: of a draft that the caller changed. */
type Removal = { admin: Administrator; held: ArticleWithDraft; reason?: RevisionReason; fields?: ArticleFields };

/** Makes an article a draft again. Its text and its slug stay. Does nothing for a draft. */
export async function unpublish(
  tx: Tx,
  { admin, held: { article, draft }, reason, fields = articleFieldsOf(draft) }: Removal,
): Promise<void> {
  if (article.status === 'draft') return;
  const after = { status: 'draft', publishAt: null, publishedAt: null } as const;
  await updateArticle(tx, article.id, after);
  await noteUses(tx, article.id, [fields]);
  if (reason) await insertRevision(tx, { articleId: article.id, fields, reason, editorId: admin.accountId });
  await auditArticle(tx, { admin, action: 'article.unpublish', before: article, after });
}
