import { type ArticleMediaField, articleMediaFields } from '@uprez/contracts/policy/images/media';
import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

const shownColumns = ['id', 'version', 'width', 'height', 'alt'] as const;
const selectFiles = (db: DbOrTx, ids: readonly string[]) =>
  db.selectFrom('media').select(shownColumns).where('id', 'in', ids).where('deletedAt', 'is', null).orderBy('id');

/** Only images have dimensions. */
export type LibraryRow = Awaited<ReturnType<typeof listLibraryFiles>>[number];

/** Lists the files with these IDs that aren't deleted. */
export const listLibraryFiles = async (db: DbOrTx, ids: readonly string[]) =>
  ids.length === 0 ? [] : selectFiles(db, ids).execute();

/** Like `listLibraryFiles`, and locks the files against changes and deletion until the transaction ends. */
export const lockLibraryFiles = async (tx: Tx, ids: readonly string[]): Promise<LibraryRow[]> =>
  ids.length === 0 ? [] : selectFiles(tx, ids).forShare().execute();

/**
 * Replaces the list of files that an article uses. The caller must lock the article. Skips files that don't exist or
 * are deleted.
 */
export async function replaceUses(
  tx: Tx,
  articleId: string,
  used: Record<ArticleMediaField, readonly string[]>,
): Promise<void> {
  await tx.deleteFrom('mediaUses').where('articleId', '=', articleId).execute();
  const known = new Set((await lockLibraryFiles(tx, Object.values(used).flat())).map(({ id }) => id));
  const rows = articleMediaFields.flatMap((field) =>
    used[field].filter((mediaId) => known.has(mediaId)).map((mediaId) => ({ mediaId, articleId, field })),
  );
  if (rows.length > 0) await tx.insertInto('mediaUses').values(rows).execute();
}

/** Lists the IDs of the articles whose content uses a file. */
export async function listArticlesUsingMedia(db: DbOrTx, mediaId: string): Promise<string[]> {
  const query = db.selectFrom('mediaUses').select('articleId').where('mediaId', '=', mediaId);
  return (await query.where('field', '=', 'content').orderBy('articleId').execute()).map((row) => row.articleId);
}

/** Discards the rendered drafts that use a file. They are rendered again when a preview link is opened. */
export async function clearDraftPreviews(db: DbOrTx, mediaId: string): Promise<void> {
  await db
    .updateTable('articleDrafts')
    .set({ previewVersion: null, previewHtml: null, previewMinutes: null })
    .where('articleId', 'in', (eb) => eb.selectFrom('mediaUses').select('articleId').where('mediaId', '=', mediaId))
    .execute();
}

type LegalFile = { mediaId: string; version: number | null };

/** Stores which files a version of a legal text refers to. Unknown files are left out. */
export async function insertLegalMedia(
  tx: Tx,
  version: { articleId: string; number: number },
  files: readonly LegalFile[],
): Promise<void> {
  const known = await lockLibraryFiles(
    tx,
    files.map(({ mediaId }) => mediaId),
  );
  const rows = files.filter(({ mediaId }) => known.some(({ id }) => id === mediaId));
  if (rows.length > 0)
    await tx
      .insertInto('legalMedia')
      .values(rows.map((file) => ({ ...version, ...file })))
      .execute();
}

const isStaleMedia = sql<boolean>`shown_change < change`;

/** Lists the IDs of files whose latest change might not be shown by articles yet. */
export async function listStaleMedia(db: DbOrTx): Promise<string[]> {
  const rows = await db.selectFrom('media').select('id').where(isStaleMedia).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Finds the change number of a file. Articles might not show this change yet. */
export const findMediaChange = (db: DbOrTx, id: string) =>
  db.selectFrom('media').select('change').where('id', '=', id).executeTakeFirst();

/** Records that all articles show a file as of a change. */
export async function recordShownChange(db: DbOrTx, id: string, change: number): Promise<void> {
  const shown = db.updateTable('media').set({ shownChange: change });
  await shown.where('id', '=', id).where('shownChange', '<', change).execute();
}
