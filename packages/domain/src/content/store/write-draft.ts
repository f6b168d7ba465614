import type { RevisionReason } from '@uprez/contracts/policy/articles';
import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import type { Tx } from '@uprez/db/database';
import { type ArticleWithDraft, type DraftRow, updateArticle, updateDraft } from '@uprez/db/queries/content/articles';
import { listArticleCategories } from '@uprez/db/queries/content/categories';
import { insertRevision, storeAutosave } from '@uprez/db/queries/content/revisions';
import { now } from '@uprez/db/times';
import { areSame, columnsOf, publicFieldsOf } from '../text/article-fields.ts';
import { noteUses } from './files-of-texts.ts';

/**
 * `tab`: of a save by an editor. Its next save is accepted with any version. `reason`: undefined if the caller adds a revision.
 */
type Writing = {
  held: ArticleWithDraft;
  fields: ArticleFields;
  reason?: RevisionReason;
  editorId: string;
  tab?: string;
};

/** Replaces the text of a draft. Returns the draft. */
export async function writeDraft(
  tx: Tx,
  { held: { article }, fields, reason, editorId, tab }: Writing,
): Promise<DraftRow> {
  const { id: articleId } = article;
  // Articles without a slug were never public.
  const publicFields = publicFieldsOf(article, await listArticleCategories(tx, articleId));
  const hasChanges = article.slug !== null && !areSame(fields, publicFields);
  await noteUses(tx, articleId, article.status === 'draft' ? [fields] : [fields, publicFields]);
  await updateArticle(tx, articleId);
  if (reason === 'autosave') await storeAutosave(tx, { articleId, fields, editorId });
  else if (reason) await insertRevision(tx, { articleId, fields, reason, editorId });
  return updateDraft(tx, articleId, { ...columnsOf(fields), hasChanges, tab: tab ?? null, editorId, savedAt: now });
}
