import { AppError } from '@uprez/contracts/errors/app-error';
import { articleLimits } from '@uprez/contracts/policy/articles';
import type { Tx } from '@uprez/db/database';
import {
  type ArticleRow,
  type ArticleWithDraft,
  lockArticle,
  updateArticle,
  updateDraft,
} from '@uprez/db/queries/content/articles';
import { isInFuture } from '@uprez/db/queries/usage/allowances';
import { now } from '@uprez/db/times';
import { isUuid } from '../../actor.ts';
import { lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { auditArticle } from '../store/audit-article.ts';
import { type ArticleChange, getFoundArticle, requireChangeable } from '../store/change-article.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';
import { isSlugFree, requireFreeSlug } from '../store/slugs.ts';

type Deletion = Pick<ArticleChange, 'admin' | 'id' | 'kind'>;

/**
 * Deletes an article and frees its slug. The article can be restored for `articleLimits.deletedDays` days. Throws
 * `article_not_found` and `article_fixed`.
 */
export const deleteArticle = ({ db }: Needs<'db'>, { admin, id, kind }: Deletion): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const article = (await lockAnyArticle(tx, id))?.article;
    if (!article || article.deletedAt || (kind && article.kind !== kind)) throw new AppError('article_not_found');
    requireChangeable(article);
    await updateArticle(tx, article.id, { deletedAt: now });
    const isDeleted = { before: false, after: true };
    await auditArticle(tx, { admin, action: 'article.delete', before: article, after: {}, isDeleted });
  });

/**
 * Restores a deleted article. Cancels its schedule if the scheduled time has passed. Resets the draft's slug if another
 * article now has it. Does nothing if the article isn't deleted. Throws `article_not_found`, including when the article
 * can no longer be restored, and `slug_taken` if another article now has the slug of the public text.
 */
export const restoreArticle = ({ db }: Needs<'db'>, { admin, id }: Deletion): Promise<ArticleView> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const held = await lockAnyArticle(tx, id);
    if (!held || (await isRestoreExpired(tx, held.article))) throw new AppError('article_not_found');
    const { article } = held;
    if (!article.deletedAt) return presentArticle(await getFoundArticle(tx, article.id));
    if (article.slug) await requireFreeSlug(tx, article, article.slug);
    await keepFreeSlug(tx, held);
    const isMissed = article.publishAt !== null && !(await isInFuture(tx, article.publishAt));
    const after = isMissed ? ({ status: 'draft', publishAt: null } as const) : {};
    await updateArticle(tx, article.id, { ...after, deletedAt: null });
    const isDeleted = { before: true, after: false };
    await auditArticle(tx, { admin, action: 'article.restore', before: article, after, isDeleted });
    return presentArticle(await getFoundArticle(tx, article.id));
  });

const lockAnyArticle = async (tx: Tx, id: string): Promise<ArticleWithDraft | undefined> =>
  isUuid(id) ? lockArticle(tx, id) : undefined;

/**
 * If another article has taken the draft's slug in the meantime, replaces it with the public slug, or clears it if the
 * article was never public.
 */
async function keepFreeSlug(tx: Tx, { article, draft }: ArticleWithDraft): Promise<void> {
  const kept = article.slug ?? '';
  if (draft.slug === '' || draft.slug === kept || (await isSlugFree(tx, article, draft.slug))) return;
  await updateDraft(tx, article.id, { slug: kept });
}

/** The dispatcher purges such articles within an hour. */
const isRestoreExpired = async (tx: Tx, { deletedAt }: ArticleRow): Promise<boolean> =>
  deletedAt !== null && !(await isInFuture(tx, new Date(Number(deletedAt) + articleLimits.deletedDays * 86_400_000)));
