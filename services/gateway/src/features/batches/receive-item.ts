import { AppError, fileTooLarge } from '@uprez/contracts/errors/app-error';
import type { Actor } from '@uprez/domain/actor';
import type { Upload } from '@uprez/domain/intake/plan-upload';
import { abandonUpload, beginUpload } from '@uprez/domain/uploads/begin-upload';
import { largestUpload } from '@uprez/domain/uploads/largest-upload';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { isForm } from '../../http/bodies/body-headers.ts';
import { watchUpload } from '../../http/bodies/watch-upload.ts';
import { receiveUpload, storeUpload } from '../uploads/receive-upload.ts';

type ItemDeps = Pick<Deps, 'db' | 'storage' | 'log'>;

/**
 * Streams the file of a batch item into storage: the field `image` of a form without other fields, or the request body.
 * Deletes it and throws on the errors of `receiveUpload`.
 */
export async function receiveItem(deps: ItemDeps, actor: Actor, request: FastifyRequest): Promise<Upload> {
  if (!isForm(request)) return receiveBody(deps, actor, request);
  const { upload, fields } = await receiveUpload(deps, actor, request);
  const [field] = fields;
  if (!field) return upload;
  await abandonUpload(deps, upload);
  throw new AppError('invalid_parameter', {
    param: field[0].slice(0, 40),
    detail: 'Set the options on the batch, not on its items.',
  });
}

/** Streams a request body into storage, up to the caller's size limit. */
export async function receiveBody(deps: ItemDeps, actor: Actor, { raw, headers }: FastifyRequest): Promise<Upload> {
  const maxBytes = largestUpload(actor);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw fileTooLarge(maxBytes);
  const watch = watchUpload(raw);
  const begun = await beginUpload(deps, { actor });
  try {
    const upload = await storeUpload(deps, begun, { source: raw, signal: watch.signal, maxBytes });
    if (upload.sizeBytes > 0) return { ...upload, filename: '' };
    await abandonUpload(deps, upload);
    throw new AppError('empty_file');
  } catch (error) {
    if (watch.signal.aborted) throw watch.signal.reason;
    if (raw.complete || error instanceof AppError) throw error;
    throw new AppError('malformed_multipart', { detail: 'The upload was interrupted. Try again.', cause: error });
  } finally {
    watch.stop();
  }
}
