import { AppError } from '@uprez/contracts/errors/app-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { mediaLimits } from '@uprez/contracts/policy/media';
import { abandonFiles, type MediaContext, type StoredMedia, storeFile } from '@uprez/domain/media/store-file';
import type { FastifyRequest } from 'fastify';
import { receiveMedia } from './receive-media.ts';

type Refused = { name: string; code: ErrorCode; message: string };

/** Errors of one file, which don't concern the others of an upload. */
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

/** Stores the files of an upload one after the other as they arrive. Keeps none of them if the form is invalid. */
export async function storeFiles(ctx: MediaContext, request: FastifyRequest) {
  const stored: StoredMedia[] = [];
  const refused: Refused[] = [];
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
    await abandonFiles(ctx, stored);
    throw error;
  }
}

/** Stores the file of a replacement. */
export async function storeReplacement(ctx: MediaContext, request: FastifyRequest): Promise<StoredMedia> {
  const stored: StoredMedia[] = [];
  try {
    await receiveMedia(request, { field: 'file', most: 1 }, async (file, signal) => {
      stored.push(await storeFile(ctx, { file, signal }));
    });
  } catch (error) {
    await abandonFiles(ctx, stored);
    throw error;
  }
  const [file] = stored;
  if (!file) throw new AppError('no_file');
  return file;
}
