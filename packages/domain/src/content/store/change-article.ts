import { AppError } from '@uprez/contracts/errors/app-error';
import { type ArticleKind, isFixedKind } from '@uprez/contracts/policy/articles';
import type { EditConflict } from '@uprez/contracts/schemas/content/articles';
import type { DbOrTx, Tx } from '@uprez/db/database';
import { type ArticleRow, type ArticleWithDraft, lockArticle, readArticle } from '@uprez/db/queries/content/articles';
import { type FoundArticle, findArticle } from '@uprez/db/queries/content/list-articles';
import { listRevisions } from '@uprez/db/queries/content/revisions';
import { getByUuid, isUuid } from '../../actor.ts';
import { type Administrator, lockAdmin } from '../../admin/administrator.ts';
import type { Needs } from '../../context.ts';
import { articleFieldsOf } from '../text/article-fields.ts';

/**
 * `kind`: the kind of articles that the endpoint handles. `seen`: the version that the administrator saw. If undefined,
 * any version is accepted.
 */
export type ArticleChange = {
  admin: Administrator;
  id: string;
  kind?: ArticleKind | undefined;
  seen?: number | undefined;
};

/**
 * Changes an article in one transaction, with its row locked, and returns the changed article. Throws
 * `article_not_found`, including for a deleted article, `edit_conflict` if the article's version isn't `seen`, and the
 * errors of `lockAdmin` and `change`.
 */
export const changeArticle = (
  { db }: Needs<'db'>,
  { admin, id, kind, seen }: ArticleChange,
  change: (tx: Tx, held: ArticleWithDraft) => Promise<unknown>,
): Promise<FoundArticle> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const held = requireLiveArticle(isUuid(id) ? await lockArticle(tx, id) : undefined, kind);
    await requireSeenVersion(tx, held, seen);
    await change(tx, held);
    return await getFoundArticle(tx, held.article.id);
  });

/**
 * Returns an article and its draft without locking them. Throws `article_not_found` and `edit_conflict` like
 * `changeArticle`.
 */
export async function requireArticle(
  { db }: Needs<'db'>,
  { id, kind, seen }: Omit<ArticleChange, 'admin'>,
): Promise<ArticleWithDraft> {
  const held = requireLiveArticle(isUuid(id) ? await readArticle(db, id) : undefined, kind);
  await requireSeenVersion(db, held, seen);
  return held;
}

/** Returns an article in the form that lists and editors use. Throws `article_not_found`. */
export async function getFoundArticle(db: DbOrTx, id: string): Promise<FoundArticle> {
  return getByUuid(id, () => findArticle(db, id), 'article_not_found');
}

function requireLiveArticle(held: ArticleWithDraft | undefined, kind: ArticleKind | undefined): ArticleWithDraft {
  if (!held || held.article.deletedAt || (kind && held.article.kind !== kind)) throw new AppError('article_not_found');
  return held;
}

async function requireSeenVersion(db: DbOrTx, held: ArticleWithDraft, seen: number | undefined): Promise<void> {
  if (seen !== undefined && seen !== held.article.version) await rejectStale(db, held);
}

/** Throws `edit_conflict` with the draft's current text and the name of the last editor. */
export async function rejectStale(db: DbOrTx, { article, draft }: ArticleWithDraft): Promise<never> {
  const [last] = await listRevisions(db, { articleId: article.id, limit: 1 });
  const meta: EditConflict = {
    version: article.version,
    fields: articleFieldsOf(draft),
    by: last?.by ?? null,
    at: article.updatedAt.toISOString(),
  };
  throw new AppError('edit_conflict', { meta });
}

/** Throws `article_fixed` if articles of this kind must always stay public at their URLs. */
export function requireChangeable({ kind }: Pick<ArticleRow, 'kind'>, param?: 'fields/slug'): void {
  if (isFixedKind(kind)) throw new AppError('article_fixed', { ...(param && { param }) });
}
