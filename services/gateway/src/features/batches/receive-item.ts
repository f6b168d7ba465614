import { AppError, fileTooLarge } from '@uprez/contracts/errors/app-error';
import type { Actor } from '@uprez/domain/actor';
import { requireSameFile } from '@uprez/domain/batches/accept-item';
import type { OwnItem } from '@uprez/domain/batches/get-batch';
import type { Upload } from '@uprez/domain/intake/prepare-upload';
import { abandonUpload, beginUpload, largestUpload } from '@uprez/domain/uploads/begin-upload';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { expectBytes, hasBody, isForm, openUpload } from '../../http/bodies/open-upload.ts';
import { receiveUpload, storeReceived } from '../uploads/receive-upload.ts';

type ItemDeps = Pick<Deps, 'db' | 'storage' | 'log' | 'bodies'>;

/**
 * Streams the file of a batch item into storage: the field `image` of a form without other fields, or the request body.
 * Throws the errors of `receiveUpload` after deleting the file.
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

/**
 * Checks that a file is the one that an item already has, such as when a request is repeated, and discards it. Doesn't
 * read the body if its length already differs, or if the item has no job. Throws `item_has_file`, and the errors of
 * `receiveItem`.
 */
export async function compareItem(
  deps: ItemDeps,
  actor: Actor,
  { own, request }: { own: OwnItem; request: FastifyRequest },
): Promise<void> {
  if (!own.found || !hasBody(request.raw)) return;
  const declared = request.headers['content-length'];
  if (declared !== undefined && !isForm(request)) requireSameFile(own, { sizeBytes: Number(declared) });
  const upload = await receiveItem(deps, actor, request);
  await abandonUpload(deps, upload);
  requireSameFile(own, upload);
}

/** Streams a request body into storage, up to the caller's size limit. */
export async function receiveBody(deps: ItemDeps, actor: Actor, request: FastifyRequest): Promise<Upload> {
  const { raw, headers } = request;
  const maxBytes = largestUpload(actor);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw fileTooLarge(maxBytes);
  const watch = await openUpload(deps, request, maxBytes);
  try {
    const begun = await beginUpload(deps, { actor, bytes: expectBytes(request, maxBytes) });
    const upload = await storeReceived(deps, begun, { request, source: raw, signal: watch.signal, maxBytes });
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
