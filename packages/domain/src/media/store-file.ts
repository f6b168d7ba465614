import { Readable } from 'node:stream';
import { AppError, makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import { type MediaType, mediaLimits, mediaTypes } from '@uprez/contracts/policy/images/media';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Tx } from '@uprez/db/database';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import {
  deleteObjectRows,
  insertObjects,
  markObjectStored,
  markUnfinishedForDeletion,
} from '@uprez/db/queries/jobs/objects';
import { insertMedia, insertMediaFiles } from '@uprez/db/queries/media/media-files';
import { sniffFormat } from '@uprez/imaging/sniff/sniff-format';
import { stripMetadata } from '@uprez/imaging/strip/strip-metadata';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import { type Administrator, lockAdmin, toAuditFields } from '../admin/administrator.ts';
import type { Needs } from '../context.ts';
import { getMedia, mediaKindOf } from './list-media.ts';

type Upload = { admin: Administrator; stored: readonly StoredMedia[] };

/** Adds stored files to the media library, all or none. */
export async function uploadMedia(ctx: MediaContext, { admin, stored }: Upload): Promise<MediaFile[]> {
  try {
    return await ctx.db.transaction().execute(async (tx) => {
      await lockAdmin(tx, admin);
      const files: MediaFile[] = [];
      for (const file of stored) files.push(await addMedia(tx, admin, file));
      return files;
    });
  } catch (error) {
    await abandonMediaFiles(ctx, stored);
    throw error;
  }
}

async function addMedia(tx: Tx, admin: Administrator, stored: StoredMedia): Promise<MediaFile> {
  const id = uuidv7();
  const { name } = stored;
  const content = contentOf(stored);
  await insertMedia(tx, { ...content, id, name, uploaderId: admin.accountId });
  await keepOriginal(tx, stored, { mediaId: id, version: 1 });
  const before = { name: null, type: null, size: null };
  const after = { name, type: content.type, size: content.size };
  await insertAudit(tx, { ...toAuditFields(admin), action: 'media.upload', subject: `media:${id}`, before, after });
  return getMedia({ db: tx }, id);
}

/** `inspect`: reads the header of a stored image in a child process. */
export type MediaContext = Needs<'db' | 'storage' | 'log'> & {
  inspect: (image: { key: string; sizeBytes: number }) => Promise<Inspection>;
};

export type StoredMedia = {
  name: string;
  type: MediaType;
  object: { id: string; key: string; sizeBytes: number; sha256: string };
  size: { width: number; height: number } | undefined;
};

/**
 * Checks, stores, and inspects a file. Throws the errors of `checkFile` and of the inspection. After an error, nothing
 * is stored.
 */
export async function storeFile(
  ctx: MediaContext,
  { file: received, signal }: { file: ReceivedMedia; signal: AbortSignal },
): Promise<StoredMedia> {
  const file = checkFile(received);
  const id = uuidv7();
  const key = objectKeys.media(id);
  await insertObjects(ctx.db, [{ id, kind: 'media', key }]);
  try {
    const stored = await ctx.storage.put(key, Readable.from([file.bytes], { objectMode: false }), { signal });
    const object = { id, key, ...stored };
    const { name, type } = file;
    return { name, type, object, size: mediaKindOf(type) === 'image' ? await readSize(ctx, object) : undefined };
  } catch (error) {
    await abandonObjects(ctx, [{ id, key }]);
    throw error;
  }
}

async function readSize(ctx: MediaContext, object: StoredMedia['object']) {
  const { width, height } = await ctx.inspect(object).catch((error: unknown) => {
    // `checkFile` already accepted the format, so it must be the color space that isn't supported.
    const isUnsupported = error instanceof AppError && error.code === 'unsupported_format';
    throw isUnsupported ? new AppError('corrupt_image', { detail: error.message, cause: error }) : error;
  });
  return { width, height };
}

/**
 * Returns the columns that are derived from a file's content. An image starts as `processing`, because workers must
 * create its WebP variants.
 */
export const contentOf = ({ type, object, size }: StoredMedia) => ({
  type,
  size: object.sizeBytes,
  width: size?.width ?? null,
  height: size?.height ?? null,
  state: size ? ('processing' as const) : ('ready' as const),
});

/** Makes a stored object the original of a version. Throws `service_unavailable` if it was deleted in the meantime. */
export async function keepOriginal(tx: Tx, { object, type }: StoredMedia, file: { mediaId: string; version: number }) {
  if (!(await markObjectStored(tx, object))) throw new AppError('service_unavailable');
  const format = mediaTypes[type].extension;
  await insertMediaFiles(tx, [{ ...file, width: null, format, objectId: object.id }]);
}

/** Deletes stored files that weren't added to the library. */
export const abandonMediaFiles = (ctx: MediaContext, stored: readonly StoredMedia[]): Promise<void> =>
  abandonObjects(
    ctx,
    stored.map(({ object }) => object),
  );

/**
 * Deletes objects that no library file uses. Keeps objects that are already stored, because a transaction may have
 * committed even though it appeared to fail. If the deletion fails, a scheduled task deletes the objects.
 */
export async function abandonObjects(
  ctx: Needs<'db' | 'storage' | 'log'>,
  objects: readonly { id: string; key: string }[],
): Promise<void> {
  for (const { id, key } of objects) {
    try {
      if (!(await markUnfinishedForDeletion(ctx.db, id))) continue;
      await ctx.storage.deleteMany([key]);
      await deleteObjectRows(ctx.db, [id]);
    } catch (error) {
      ctx.log.warn({ err: error, objectId: id }, 'deleting an abandoned file failed, the sweep will retry');
    }
  }
}

/** A received file. `isCut`: whether the file exceeded `mediaLimits.fileBytes` and was truncated. */
export type ReceivedMedia = { name: string; bytes: Buffer; isCut: boolean };
/** A file as it is stored. Metadata has been removed from photos. */
type CheckedMedia = { name: string; bytes: Buffer; type: MediaType };

const images = { jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' } as const;
const isImage = (format: string | undefined): format is keyof typeof images => format !== undefined && format in images;

/** By file extension, because text files have no signature. */
const texts: Readonly<Record<string, MediaType>> = {
  txt: 'text/plain',
  text: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
};

/**
 * Detects the type of a file from its content, and removes metadata from photos. Throws `file_too_large`, `empty_file`,
 * `media_type_unsupported`, or `corrupt_image`.
 */
function checkFile({ name, bytes, isCut }: ReceivedMedia): CheckedMedia {
  if (isCut) throw makeFileTooLargeError(mediaLimits.fileBytes);
  if (bytes.length === 0) throw new AppError('empty_file');
  const format = sniffFormat(bytes)?.readable;
  if (isImage(format)) return { name, bytes: stripMetadata(bytes, format), type: images[format] };
  const type = findDocumentType(name, bytes);
  if (!type) throw new AppError('media_type_unsupported');
  return { name, bytes, type };
}

function findDocumentType(name: string, bytes: Buffer): MediaType | undefined {
  if (isPdf(bytes)) return 'application/pdf';
  const type = texts[name.toLowerCase().split('.').at(-1) ?? ''];
  return type && isPlainText(bytes) ? type : undefined;
}

const pdfEndBytes = 2_048;
const isPdf = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 5) === '%PDF-' && bytes.subarray(-pdfEndBytes).includes('%%EOF');

/** Tab, line and page breaks, and escape. */
const allowedControls = [9, 10, 11, 12, 13, 27];
const isControl = (byte: number) => byte < 32 && !allowedControls.includes(byte);
/**
 * Matches the start of HTML, SVG, and other XML. Such files aren't accepted as text, because browsers could execute
 * them.
 */
const markup = /^\s*<[!?/a-z]/i;

function isPlainText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !markup.test(text) && !bytes.some(isControl);
  } catch {
    return false;
  }
}
