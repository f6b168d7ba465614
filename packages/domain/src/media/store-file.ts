import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type MediaType, mediaTypes } from '@uprez/contracts/policy/images/media';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Tx } from '@uprez/db/database';
import { deleteObjectRows, insertObjects, markStored, markUnfinishedForDeletion } from '@uprez/db/queries/jobs/objects';
import { insertMediaFiles } from '@uprez/db/queries/media/media-files';
import { objectKeys } from '@uprez/storage/object-keys';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { checkFile, type ReceivedMedia } from './check-file.ts';
import { mediaKindOf } from './list-media.ts';

/** `inspect`: reads the header of a stored image in a child process. */
export type MediaContext = Needs<'db' | 'storage' | 'log'> & {
  inspect: (image: { key: string; sizeBytes: number }) => Promise<Inspection>;
};

/** A stored file that isn't in the library yet. */
export type StoredMedia = {
  name: string;
  type: MediaType;
  object: { id: string; key: string; sizeBytes: number; sha256: string };
  size: { width: number; height: number } | undefined;
};

/**
 * Checks, stores, and inspects a file. Throws the errors of `checkFile` and of the inspection, and then stores nothing.
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
    // The format is supported, but the color space isn't.
    const isUnsupported = error instanceof AppError && error.code === 'unsupported_format';
    throw isUnsupported ? new AppError('corrupt_image', { detail: error.message, cause: error }) : error;
  });
  return { width, height };
}

/**
 * Returns the columns of a file that are derived from its content. Images need processing, because workers create their
 * WebP variants.
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
  if (!(await markStored(tx, object))) throw new AppError('service_unavailable');
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
 * Deletes objects that no library file uses. Keeps an object whose transaction committed even though it appeared to
 * fail. If this fails, a scheduled task deletes the objects.
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
