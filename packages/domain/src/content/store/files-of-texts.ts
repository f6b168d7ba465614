import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { listMentionedMedia } from '@uprez/contracts/policy/images/media';
import type { Tx } from '@uprez/db/database';
import { type LibraryRow, listLibraryFiles, lockLibraryFiles, replaceUses } from '@uprez/db/queries/content/media-uses';
import type { LibraryFile, LibraryFiles } from '@uprez/markup/describe-problem';
import type { Needs } from '../../context.ts';

/**
 * The files that a text referred to when it was checked or rendered. `keep`: locks these files until the transaction
 * ends. If one has changed, restarts the change.
 */
export type FilesOfText = { files: LibraryFiles; keep: (tx: Tx) => Promise<void> };

class FilesChanged extends Error {}

const maxAttempts = 5;

/**
 * Runs a change with the files that a text refers to. Repeats the change if a file is changed before `keep` locks it.
 * Throws `service_unavailable` after `attempts` attempts.
 */
export async function withFiles<T>(
  { db }: Needs<'db'>,
  text: string,
  change: (files: FilesOfText) => Promise<T>,
): Promise<T> {
  const ids = listMentionedMedia(text);
  for (let attempt = 1; ; attempt += 1) {
    const files = toFiles(await listLibraryFiles(db, ids));
    const keep = async (tx: Tx) => {
      if (!isDeepStrictEqual(toFiles(await lockLibraryFiles(tx, ids)), files)) throw new FilesChanged();
    };
    try {
      return await change({ files, keep });
    } catch (error) {
      if (!(error instanceof FilesChanged)) throw error;
      if (attempt === maxAttempts) throw new AppError('service_unavailable');
    }
  }
}

const toFiles = (rows: readonly LibraryRow[]): LibraryFiles => new Map(rows.map((row) => [row.id, toFile(row)]));

const toFile = ({ id, version, width, height, alt }: LibraryRow): LibraryFile =>
  width === null || height === null ? { kind: 'document' } : { kind: 'image', id, version, width, height, alt };

/**
 * Returns the stored ID of a featured image, and prevents the image's deletion until the transaction ends. Throws
 * `invalid_parameter` if the file is unknown or isn't an image.
 */
export async function requireImage(tx: Tx, id: string | null, param: string): Promise<string | null> {
  if (id === null) return null;
  const found = await lockMediaImage(tx, id);
  if (found) return found;
  throw new AppError('invalid_parameter', { param, detail: 'Featured images must be images of the media library.' });
}

/**
 * Returns the stored ID of an image, and prevents the image's deletion until the transaction ends. Null if the image
 * doesn't exist.
 */
export async function lockMediaImage(tx: Tx, id: string): Promise<string | null> {
  const [row] = await lockLibraryFiles(tx, [id.toLowerCase()]);
  return row && toFile(row).kind === 'image' ? row.id : null;
}

type Text = { content: string; featuredMediaId: string | null };

/** Stores which files an article's draft and public text use. */
export async function replaceMediaUses(tx: Tx, articleId: string, texts: readonly Text[]): Promise<void> {
  const content = [...new Set(texts.flatMap((text) => listMentionedMedia(text.content)))];
  const featuredImage = [...new Set(texts.flatMap(({ featuredMediaId: id }) => (id === null ? [] : [id])))];
  await replaceUses(tx, articleId, { content, featuredImage });
}
