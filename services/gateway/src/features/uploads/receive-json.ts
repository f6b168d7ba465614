import { Readable } from 'node:stream';
import { AppError, fileTooLarge } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { Upload } from '@uprez/domain/intake/prepare-upload';
import { abandonUpload } from '@uprez/domain/uploads/begin-upload';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { cutField, decodeBase64, type FieldCutter } from '../../http/bodies/cut-field.ts';
import { openUpload, takeTurns, type UploadWatch } from '../../http/bodies/open-upload.ts';
import { jsonTooLarge, parseJson } from '../../http/bodies/read-json.ts';
import { readJsonFields } from './receive-image.ts';
import { type Intake, type ReceivedForm, storeUpload, type UploadDeps } from './receive-upload.ts';

export const imageField = 'image';

/**
 * Receives a JSON body: an image as base64 in the field `image`, which streams into storage, and the other fields.
 * Throws `malformed_body`, `file_too_large`, `empty_file`, `invalid_parameter`, and the errors of `intake.begin`.
 */
export async function receiveJson(
  deps: UploadDeps,
  intake: Intake,
  request: FastifyRequest,
): Promise<Partial<ReceivedForm> & Pick<ReceivedForm, 'fields'>> {
  requireJsonSize(request);
  const watch = await openUpload(deps, request, limits.jsonImageBytes);
  let upload: Upload | undefined;
  try {
    const body = cutField(readBody(deps, request, watch), {
      field: imageField,
      depth: 1,
      maxRestBytes: limits.bodyBytes,
    });
    while (await body.findValue()) {
      if (upload) throw new AppError('malformed_body', { detail: '"image" was sent more than once.', param: 'image' });
      upload = await storeImage(deps, intake, { body, watch });
    }
    watch.signal.throwIfAborted();
    const all = readJsonFields(parseJson(body.rest()));
    const fields = all.filter(([name]) => name !== imageField);
    if (!upload && fields.length < all.length) throw notBase64();
    if (upload?.sizeBytes === 0) throw new AppError('empty_file', { param: 'image' });
    return { ...(upload && { upload }), fields };
  } catch (error) {
    if (upload) await abandonUpload(deps, upload);
    throw watch.signal.aborted ? bodyError(watch.signal.reason) : error;
  } finally {
    watch.stop();
  }
}

type Receiving = { body: FieldCutter; watch: UploadWatch };

async function storeImage(deps: UploadDeps, intake: Intake, { body, watch }: Receiving): Promise<Upload> {
  const source = Readable.from(limitBytes(decodeBase64(body.readValue(), notBase64), intake.maxBytes), {
    objectMode: false,
  });
  try {
    const upload = await storeUpload(deps, await intake.begin(), { source, signal: watch.signal });
    return { ...upload, filename: '' };
  } finally {
    source.destroy();
  }
}

async function* limitBytes(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw fileTooLarge(maxBytes, 'image');
    yield chunk;
  }
}

/** Throws `file_too_large` for a declared size that is too large, before the body is read. */
export function requireJsonSize({ headers }: FastifyRequest): void {
  if (Number(headers['content-length'] ?? 0) > limits.jsonImageBytes) throw jsonTooLarge(limits.jsonImageBytes);
}

/**
 * Yields the chunks of a JSON body with an image, each in its caller's turn. Throws `file_too_large` and
 * `malformed_body`.
 */
export async function* readBody(
  deps: Pick<Deps, 'bodies'>,
  request: FastifyRequest,
  { signal }: UploadWatch,
): AsyncGenerator<Buffer> {
  try {
    yield* takeTurns(deps, { request, source: request.raw, signal, maxBytes: limits.jsonImageBytes });
  } catch (error) {
    throw bodyError(signal.aborted ? signal.reason : error);
  }
}

function bodyError(error: unknown): unknown {
  if (!(error instanceof AppError))
    return new AppError('malformed_body', {
      detail: 'The upload was interrupted. Try again.',
      param: 'body',
      cause: error,
    });
  if (error.code === 'file_too_large') return jsonTooLarge(limits.jsonImageBytes);
  if (error.code !== 'malformed_multipart') return error;
  return new AppError('malformed_body', { detail: error.message, param: 'body', cause: error });
}

const notBase64 = () =>
  new AppError('invalid_parameter', {
    detail: '"image" must be base64, optionally prefixed with "data:image/...;base64,".',
    param: 'image',
    allowed: 'base64',
  });
