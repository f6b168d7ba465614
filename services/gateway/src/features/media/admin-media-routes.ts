import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { AppError, makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { mediaLimits } from '@uprez/contracts/policy/images/media';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import type { MediaFile } from '@uprez/contracts/schemas/content/media';
import { cleanFilename } from '@uprez/domain/intake/clean-filename';
import { deleteMedia, replaceMedia, restoreMedia, retryMedia, updateMedia } from '@uprez/domain/media/change-media';
import { exportMedia, getMedia, getUses, listMedia } from '@uprez/domain/media/list-media';
import {
  abandonMediaFiles,
  type MediaContext,
  type ReceivedMedia,
  type StoredMedia,
  storeFile,
  uploadMedia,
} from '@uprez/domain/media/store-file';
import { readChunks } from '@uprez/storage/read-chunks';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireAdminAndId, requireUser } from '../../http/authenticate.ts';
import { withReservedMemory } from '../../http/bodies/body-budgets.ts';
import { watchUpload } from '../../http/bodies/watch-upload.ts';
import { defineHandlers } from '../../http/contract.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { type ExportColumns, sendExport } from '../admin/send-export.ts';
import { capBody, hasBoundary, maxFormOverheadBytes, readParts, toFormError } from '../uploads/receive-upload.ts';

const mediaColumns: ExportColumns<'media', MediaFile> = {
  file: { file: ({ id }) => id, name: ({ originalName }) => originalName, alt: ({ alt }) => alt },
  type: { type: ({ mimeType }) => mimeType, width: ({ width }) => width, height: ({ height }) => height },
  size: { size: ({ fileSize }) => fileSize, version: ({ version }) => version, state: ({ state }) => state },
  uses: { uses: ({ uses }) => uses },
  uploader: {
    uploader: ({ uploadedBy }) => uploadedBy?.firstName ?? null,
    uploader_email: ({ uploadedBy }) => uploadedBy?.email ?? null,
  },
  uploaded: { uploaded: ({ uploadedAt }) => uploadedAt, deleted: ({ deletedAt }) => deletedAt },
};

export const adminMediaHandlers = (deps: Deps) =>
  defineHandlers({
    adminListMedia: async (request, reply) => rowsOfPage(reply, await listMedia(deps, request.query)),
    adminExportMedia: async (request, reply) => {
      const pages = await exportMedia(deps, request.query);
      return sendExport(reply, { name: 'media', columns: mediaColumns, pages, query: request.query });
    },
    adminGetMedia: async (request) => getMedia(deps, request.params.id),
    adminListMediaUses: async (request) => getUses(deps, request.params.id),
    adminUpdateMedia: async (request) =>
      updateMedia(deps, { ...(await requireAdminAndId(deps, request)), changes: request.body }),
    adminRetryMedia: async (request) => retryMedia(deps, await requireAdminAndId(deps, request)),
    adminDeleteMedia: async (request, reply) => {
      await deleteMedia(deps, await requireAdminAndId(deps, request));
      return reply.status(204).send(null);
    },
    adminRestoreMedia: async (request) => restoreMedia(deps, await requireAdminAndId(deps, request)),
  });

/** Handlers for uploads and replacements. They read forms as they arrive. */
export const mediaWriteHandlers = (deps: Deps) =>
  defineHandlers({
    adminUploadMedia: async (request, reply) => {
      const admin = await requireAdmin(deps, request);
      const ctx = await contextOf(deps, request);
      const { stored, refused } = await withReservedMemory(deps, memoryOptions(request), () =>
        storeFiles(ctx, request),
      );
      const [first] = refused;
      if (stored.length === 0 && first) {
        const { code, message } = first;
        throw new AppError(code, { detail: message, meta: { refused } });
      }
      return reply.status(201).send({ files: await uploadMedia(ctx, { admin, stored }), refused });
    },
    adminReplaceMedia: async (request) => {
      const admin = await requireAdmin(deps, request);
      const ctx = await contextOf(deps, request);
      const { id } = request.params;
      await getMedia(deps, id);
      const stored = await withReservedMemory(deps, memoryOptions(request), () => storeReplacement(ctx, request));
      return replaceMedia(ctx, { admin, id, stored });
    },
  });

const memoryOptions = (request: FastifyRequest) => ({ request, maxBytes: mediaLimits.fileBytes });

async function contextOf(
  { db, storage, log, inspector, settings }: Deps,
  request: FastifyRequest,
): Promise<MediaContext> {
  const user = await requireUser({ db, settings }, request);
  const caller = { key: user.id, plan: planOf(user) };
  return { db, storage, log, inspect: (image) => inspector.inspect(image, caller) };
}

type RejectedFile = { name: string; code: ErrorCode; message: string };

/** Errors that reject only one file of an upload. */
const fileErrors: readonly ErrorCode[] = [
  'file_too_large',
  'media_type_unsupported',
  'empty_file',
  'corrupt_image',
  'too_many_pixels',
  'side_too_long',
  'too_many_frames',
  'image_too_complex',
];

/** Stores the files of an upload one at a time as they arrive. Keeps none of them if the form is invalid. */
async function storeFiles(ctx: MediaContext, request: FastifyRequest) {
  const stored: StoredMedia[] = [];
  const refused: RejectedFile[] = [];
  try {
    const refuse = (name: string) => {
      const { code, message } = new AppError('too_many_files', { meta: { limit: mediaLimits.files } });
      refused.push({ name, code, message });
    };
    await receiveMedia(request, { field: 'files', most: mediaLimits.files, refuse }, async (file, signal) => {
      try {
        stored.push(await storeFile(ctx, { file, signal }));
      } catch (error) {
        if (!(error instanceof AppError && fileErrors.includes(error.code)) || signal.aborted) throw error;
        refused.push({ name: file.name, code: error.code, message: error.message });
      }
    });
    return { stored, refused };
  } catch (error) {
    await abandonMediaFiles(ctx, stored);
    throw error;
  }
}

async function storeReplacement(ctx: MediaContext, request: FastifyRequest): Promise<StoredMedia> {
  const stored: StoredMedia[] = [];
  try {
    await receiveMedia(request, { field: 'file', most: 1 }, async (file, signal) => {
      stored.push(await storeFile(ctx, { file, signal }));
    });
  } catch (error) {
    await abandonMediaFiles(ctx, stored);
    throw error;
  }
  const [file] = stored;
  if (!file) throw new AppError('no_file');
  return file;
}

/**
 * `field`: name of the form field for files. `most`: maximum number of files. `refuse`: called with the name of each
 * file beyond the maximum, which is skipped.
 */
type MediaFormRules = { field: string; most: number; refuse?: (name: string) => void };
type TakeFile = (file: ReceivedMedia, signal: AbortSignal) => Promise<void>;

/**
 * Passes each file to `take` before reading the next one. Throws `malformed_multipart`, `no_file`, `file_too_large` if
 * the whole form is too large, `invalid_parameter` for other or repeated fields, and the errors of `take`.
 */
async function receiveMedia(
  request: FastifyRequest,
  { field, most, refuse }: MediaFormRules,
  take: TakeFile,
): Promise<void> {
  if (!request.isMultipart() || !hasBoundary(request.headers['content-type']))
    throw new AppError('malformed_multipart');
  const maxBytes = most * mediaLimits.fileBytes + maxFormOverheadBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw makeFileTooLargeError(mediaLimits.fileBytes);
  const watch = watchUpload(request.raw);
  const stopCap = capBody(request, watch, maxBytes);
  let received = 0;
  try {
    // Higher than the number of allowed files and fields, because errors can then name the ones that are rejected.
    const limits = { fileSize: mediaLimits.fileBytes, files: 2 * most, fields: 1, parts: 2 * most + 1 };
    for await (const part of readParts(request, { limits, signal: watch.signal })) {
      if (part.type !== 'file' || part.fieldname !== field) throw wrongFieldError(part.fieldname, field);
      if (received === most) {
        if (!refuse) throw repeatedFieldError(field);
        await finished(part.file.resume(), { signal: watch.signal });
        refuse(filenameOf(part.filename));
        continue;
      }
      const bytes = await readStream(part.file, watch.signal);
      received += 1;
      await take({ name: filenameOf(part.filename), bytes, isCut: part.file.truncated }, watch.signal);
    }
    if (received === 0) throw new AppError('no_file');
  } catch (error) {
    throw toFormError(error);
  } finally {
    stopCap();
    watch.stop();
  }
}

const wrongFieldError = (name: string, field: string) =>
  new AppError('invalid_parameter', {
    param: name.slice(0, 40),
    detail: `Send ${field === 'file' ? 'the file' : 'the files'} in the "${field}" field.`,
  });

const repeatedFieldError = (field: string) =>
  new AppError('invalid_parameter', { param: field, detail: `"${field}" was sent more than once.` });

/** A long name keeps its end, which may contain the extension. */
const filenameOf = (sent = '') => {
  const last = sent.split(/[\\/]/).at(-1) ?? '';
  const printable = last.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '');
  const name = cleanFilename([...printable].slice(-mediaLimits.nameLength).join(''));
  return name === 'image' ? 'file' : name || 'file';
};

async function readStream(stream: Readable, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readChunks(stream, { signal })) chunks.push(chunk);
  signal.throwIfAborted();
  return Buffer.concat(chunks);
}
