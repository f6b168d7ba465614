import { AppError } from '@uprez/contracts/errors/app-error';
import type { ArticleKind, RevisionReason } from '@uprez/contracts/policy/articles';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Tx } from '@uprez/db/database';
import { type ArticleWithDraft, type DraftRow, updateArticle, updateDraft } from '@uprez/db/queries/content/articles';
import { listArticleCategories, listKnownCategories } from '@uprez/db/queries/content/categories';
import { insertRevision, storeAutosave } from '@uprez/db/queries/content/revisions';
import { now } from '@uprez/db/times';
import type { Administrator } from '../../admin/administrator.ts';
import { areSame, articleColumnsOf, publicFieldsOf } from '../text/article-fields.ts';
import { auditArticle } from './audit-article.ts';
import { replaceMediaUses } from './files-of-texts.ts';

/**
 * `tab`: ID of the browser tab that is saving. The next save from the same tab is accepted with any version. `reason`:
 * undefined if the caller adds the revision and the audit log entry. `action`: the audit log entry's action.
 */
type DraftWrite = {
  held: ArticleWithDraft;
  fields: ArticleFields;
  reason?: RevisionReason;
  action?: 'article.create' | 'article.edit';
  admin: Administrator;
  tab?: string;
};

/**
 * Replaces the text of a draft. Adds an audit log entry for each new revision. Autosaves by the same editor within
 * minutes share one revision.
 */
export async function writeDraft(
  tx: Tx,
  { held: { article }, fields, reason, action = 'article.edit', admin, tab }: DraftWrite,
): Promise<DraftRow> {
  const [{ id: articleId }, { accountId: editorId }] = [article, admin];
  // An article without a slug was never published or scheduled, so it has no text that the draft could differ from.
  const publicFields = publicFieldsOf(article, await listArticleCategories(tx, articleId));
  const hasChanges = article.slug !== null && !areSame(fields, publicFields);
  await replaceMediaUses(tx, articleId, article.status === 'draft' ? [fields] : [fields, publicFields]);
  await updateArticle(tx, articleId);
  const revision = reason && (await addRevision(tx, { articleId, fields, reason, editorId }));
  if (revision) await auditArticle(tx, { admin, action, before: article, after: {}, revision });
  return updateDraft(tx, articleId, {
    ...articleColumnsOf(fields),
    hasChanges,
    tab: tab ?? null,
    editorId,
    savedAt: now,
  });
}

/** Returns the number of the new revision. Undefined if the text replaced the editor's previous autosave. */
const addRevision = (tx: Tx, { reason, ...row }: Parameters<typeof insertRevision>[1]): Promise<number | undefined> =>
  reason === 'autosave' ? storeAutosave(tx, row) : insertRevision(tx, { ...row, reason });

/**
 * Returns the stored IDs of categories, without duplicates. Throws `category_not_found` if a category doesn't exist or
 * belongs to another kind.
 */
export async function requireCategories(tx: Tx, kind: ArticleKind, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const known = await listKnownCategories(tx, kind, wanted);
  if (known.length < wanted.length) throw new AppError('category_not_found', { param: 'categoryIds' });
  return wanted;
}
