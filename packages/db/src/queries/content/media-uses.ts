import { type ArticleMediaField, articleMediaFields } from '@uprez/contracts/policy/images/media';
import { sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';

const shown = ['id', 'version', 'width', 'height', 'alt'] as const;
const selectFiles = (db: DbOrTx, ids: readonly string[]) =>
  db.selectFrom('media').select(shown).where('id', 'in', ids).where('deletedAt', 'is', null).orderBy('id');

/** A file as texts show it. Only images have a size. */
export type LibraryRow = Awaited<ReturnType<typeof listLibraryFiles>>[number];

/** The files of these that aren't deleted. */
export const listLibraryFiles = async (db: DbOrTx, ids: readonly string[]) =>
  ids.length === 0 ? [] : selectFiles(db, ids).execute();

/** The same files, which nobody changes or deletes until the transaction ends. */
export const lockLibraryFiles = async (tx: Tx, ids: readonly string[]): Promise<LibraryRow[]> =>
  ids.length === 0 ? [] : selectFiles(tx, ids).forShare().execute();

/** Replaces the uses of files by an article, which is locked. Files that don't exist, or are deleted, have no uses. */
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

/** The articles whose texts use a file. */
export async function listMediaUsers(db: DbOrTx, mediaId: string): Promise<string[]> {
  const query = db.selectFrom('mediaUses').select('articleId').where('mediaId', '=', mediaId);
  return (await query.where('field', '=', 'content').orderBy('articleId').execute()).map((row) => row.articleId);
}

/** Discards the rendered drafts that use a file. Preview links render them again. */
export async function discardPreviews(db: DbOrTx, mediaId: string): Promise<void> {
  await db
    .updateTable('articleDrafts')
    .set({ previewVersion: null, previewHtml: null, previewMinutes: null })
    .where('articleId', 'in', (eb) => eb.selectFrom('mediaUses').select('articleId').where('mediaId', '=', mediaId))
    .execute();
}

type LegalFile = { mediaId: string; version: number | null };

/** Notes which files a version of a legal text refers to. Unknown files are left out. */
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

const isStale = sql<boolean>`shown_change < change`;

/** Files whose last change articles may not show yet. */
export async function listStaleMedia(db: DbOrTx): Promise<string[]> {
  const rows = await db.selectFrom('media').select('id').where(isStale).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** The number of the last change of a file, which articles may not show yet. */
export const findChange = (db: DbOrTx, id: string) =>
  db.selectFrom('media').select('change').where('id', '=', id).executeTakeFirst();

/** Notes that all articles show a file as of a change. */
export async function noteShown(db: DbOrTx, id: string, change: number): Promise<void> {
  const shown = db.updateTable('media').set({ shownChange: change });
  await shown.where('id', '=', id).where('shownChange', '<', change).execute();
}
