import type { ArticleFields } from '@uprez/contracts/schemas/content/articles';
import { listArticleCategories } from '@uprez/db/queries/content/categories';
import type { Administrator } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { type ArticleChange, changeArticle, rejectStale, requireChangeable } from '../store/change-article.ts';
import { type FilesOfText, requireImage, withFiles } from '../store/files-of-texts.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';
import { requireFreeSlug } from '../store/slugs.ts';
import { requireCategories, writeDraft } from '../store/write-draft.ts';
import { areSame, articleFieldsOf, publicFieldsOf } from '../text/article-fields.ts';
import { checkFiles } from '../text/render-text.ts';

/**
 * `tab`: ID of the editor's browser tab. Saves from the tab that saved last are accepted even with an older version.
 */
type DraftSave = { admin: Administrator; id: string; fields: ArticleFields; version: number; tab: string };

/**
 * Stores an editor's draft. The public text stays unchanged. After an error, the stored draft stays unchanged, too.
 * Throws:
 * - `edit_conflict` if another tab or operation has changed the article since `version`
 * - `slug_taken`
 * - `article_fixed` if the slug of a fixed page was changed
 * - `category_not_found`
 * - `markup_invalid` and `invalid_parameter` for files that aren't in the media library
 * - the errors of `changeArticle`
 */
export async function saveDraft(
  ctx: Needs<'db'>,
  { admin, id, fields, version, tab }: DraftSave,
): Promise<Pick<ArticleView, 'version' | 'readingMinutes'> & { savedAt: string }> {
  const store = ({ keep }: FilesOfText) =>
    changeArticle(ctx, { admin, id }, async (tx, held) => {
      const { article, draft } = held;
      const kept = articleFieldsOf(draft);
      // Checked before the version, because a repeated save must not cause an edit conflict.
      if (draft.savedAt && areSame(kept, fields)) return;
      if (article.version !== version && draft.tab !== tab) await rejectStale(tx, held);
      if (fields.slug !== kept.slug) requireChangeable(article, 'fields/slug');
      if (fields.slug !== '' && fields.slug !== kept.slug) await requireFreeSlug(tx, article, fields.slug);
      const categoryIds = await requireCategories(tx, article.kind, fields.categoryIds);
      const featuredMediaId = await requireImage(tx, fields.featuredMediaId, 'featuredMediaId');
      await keep(tx);
      const written = { ...fields, categoryIds, featuredMediaId };
      await writeDraft(tx, { held, fields: written, reason: 'autosave', admin, tab });
    });
  const found = await withFiles(ctx, fields.content, async (files) => {
    await checkFiles(fields.content, files.files);
    return store(files);
  });
  const { saved, ...view } = presentArticle(found);
  return { version: view.version, readingMinutes: view.readingMinutes, savedAt: saved?.at ?? view.updatedAt };
}

/**
 * Replaces the draft with the public or scheduled text. Does nothing if the article is a draft or has no changes.
 * Throws the errors of `changeArticle`.
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
