import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { ArticleFields, RevisionRow } from '@uprez/contracts/schemas/content/articles';
import type { DbOrTx } from '@uprez/db/database';
import { listKnownCategories } from '@uprez/db/queries/content/categories';
import { countRevisions, findRevision, listRevisions as findRevisions } from '@uprez/db/queries/content/revisions';
import type { Needs } from '../../context.ts';
import { type ArticleChange, changeArticle, requireArticle } from '../store/change-article.ts';
import { lockMediaImage } from '../store/files-of-texts.ts';
import { type ArticleView, presentArticle } from '../store/present-article.ts';
import { isSlugFree } from '../store/slugs.ts';
import { writeDraft } from '../store/write-draft.ts';

type RevisionPage = { rows: RevisionRow[]; total: number; nextCursor: number | undefined };
type ListedRevision = Awaited<ReturnType<typeof findRevisions>>[number];

const presentRevision = ({ number, createdAt, by, reason, title }: ListedRevision): RevisionRow => ({
  ...{ number, by, reason, title },
  at: createdAt.toISOString(),
});

/**
 * Returns a page of an article's revisions, newest first. `cursor`: lists only revisions with a lower number. Throws
 * `article_not_found`.
 */
export async function listRevisions(
  ctx: Needs<'db'>,
  { id, cursor, limit = limits.pageRows }: { id: string; cursor?: number | undefined; limit?: number | undefined },
): Promise<RevisionPage> {
  const { article } = await requireArticle(ctx, { id });
  const found = await findRevisions(ctx.db, { articleId: article.id, before: cursor, limit: limit + 1 });
  const rows = found.slice(0, limit).map(presentRevision);
  const total = await countRevisions(ctx.db, article.id);
  return { rows, total, nextCursor: found.length > limit ? rows.at(-1)?.number : undefined };
}

/** `number`: the revision number as sent by the client. */
type RevisionRef = { id: string; number: string };

/** Returns a revision with its text. Throws `revision_not_found`. */
export async function getRevision(
  ctx: Needs<'db'>,
  { id, number }: RevisionRef,
): Promise<RevisionRow & { fields: ArticleFields }> {
  const { article } = await requireArticle(ctx, { id }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'article_not_found' ? new AppError('revision_not_found') : error;
  });
  const { fields, ...row } = await requireRevision(ctx.db, article.id, number);
  return { ...presentRevision({ ...row, title: fields.title }), fields };
}

async function requireRevision(db: DbOrTx, articleId: string, number: string) {
  const found = /^\d{1,9}$/.test(number) ? await findRevision(db, articleId, Number(number)) : undefined;
  if (!found) throw new AppError('revision_not_found');
  // Revisions that were stored before featured images were introduced lack the field.
  return { ...found, fields: { ...found.fields, featuredMediaId: found.fields.featuredMediaId ?? null } };
}

/**
 * Replaces an article's draft with the text of a revision. Omits categories and a featured image that have since been
 * deleted. Keeps the draft's slug if another article now has the revision's slug. Throws `revision_not_found` and the
 * errors of `changeArticle`.
 */
export const restoreRevision = async (
  ctx: Needs<'db'>,
  { number, ...change }: ArticleChange & RevisionRef,
): Promise<ArticleView> =>
  presentArticle(
    await changeArticle(ctx, change, async (tx, held) => {
      const { id: articleId, kind } = held.article;
      const { fields } = await requireRevision(tx, articleId, number);
      const categoryIds = await listKnownCategories(tx, kind, fields.categoryIds);
      const isFree = fields.slug === '' || (await isSlugFree(tx, held.article, fields.slug));
      const slug = isFree ? fields.slug : held.draft.slug;
      const featuredMediaId = fields.featuredMediaId && (await lockMediaImage(tx, fields.featuredMediaId));
      const restored = { ...fields, categoryIds, slug, featuredMediaId };
      await writeDraft(tx, { held, fields: restored, reason: 'restore', admin: change.admin });
    }),
  );
