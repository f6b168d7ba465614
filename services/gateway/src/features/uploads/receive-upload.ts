import type { Readable } from 'node:stream';
import { AppError, makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { maskField, maxMaskFieldBytes, parseMask } from '@uprez/contracts/recipe/mask';
import type { Actor } from '@uprez/domain/actor';
import { cleanFilename } from '@uprez/domain/intake/clean-filename';
import type { Upload } from '@uprez/domain/intake/prepare-upload';
import {
  abandonUpload,
  type BegunUpload,
  beginUpload,
  maxUploadBytesOf,
  settleReservedBytes,
} from '@uprez/domain/uploads/begin-upload';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { maxBodyBytesOf } from '../../http/bodies/body-budgets.ts';
import { openTurns } from '../../http/bodies/request-bodies.ts';
import { openUploadWatch, type UploadWatch } from '../../http/bodies/watch-upload.ts';

export type ReceivedForm = { upload: Upload; fields: [name: string, value: string][] };
/**
 * Destination of a file, and its maximum size. `onFilename`: called with the file's name before the file is received.
 */
export type UploadTarget = { begin: () => Promise<BegunUpload>; maxBytes: number; onFilename?: OnFilename | undefined };
export type OnFilename = (filename: string) => void;
export type UploadDeps = Pick<Deps, 'db' | 'storage' | 'log' | 'bodies'>;

type UploadTargetOptions = { actor: Actor; request: FastifyRequest; onFilename?: OnFilename | undefined };

/** Returns the intake for uploads of an account, up to its size limit. */
export function makeUploadTarget(deps: UploadDeps, { actor, request, onFilename }: UploadTargetOptions): UploadTarget {
  const maxBytes = maxUploadBytesOf(actor);
  return { begin: () => beginUpload(deps, { actor, bytes: maxBodyBytesOf(request, maxBytes) }), maxBytes, onFilename };
}

/**
 * Whether a content type has a valid boundary, of 1 to 70 characters (RFC 2046). The parser fails on much longer ones.
 */
export const hasBoundary = (type = '') => /boundary=("[^"]{1,70}"|[^\s;"]{1,70})(\s|;|$)/i.test(type);

/**
 * Bytes that a form can have in addition to its files. A longer body must contain a file that is too large, so it's
 * rejected unread.
 */
export const maxFormOverheadBytes = 512 * 1024;

/**
 * Reads a multipart form. The image streams into storage as it arrives, and text fields can come before or after it. If
 * the form is rejected, removes what has been stored. Doesn't validate the fields. Throws `malformed_multipart`,
 * `no_image`, `file_too_large` (at most `uploadOverreadBytes` are read past the limit), `empty_file`, and
 * `invalid_parameter`.
 */
export async function receiveUpload(deps: UploadDeps, actor: Actor, request: FastifyRequest): Promise<ReceivedForm> {
  const { upload, fields } = await receiveForm(deps, makeUploadTarget(deps, { actor, request }), request);
  if (!upload) throw new AppError('no_image');
  return { upload, fields };
}

/** Reads a form like `receiveUpload`, but the image is optional and `intake` determines where it's stored. */
export async function receiveForm(
  deps: UploadDeps,
  intake: UploadTarget,
  request: FastifyRequest,
): Promise<Partial<ReceivedForm> & Pick<ReceivedForm, 'fields'>> {
  if (!request.isMultipart() || !hasBoundary(request.headers['content-type']))
    throw new AppError('malformed_multipart');
  if (Number(request.headers['content-length'] ?? 0) > intake.maxBytes + maxFormOverheadBytes)
    throw makeFileTooLargeError(intake.maxBytes);
  const watch = await openUploadWatch(deps, request, intake.maxBytes);
  const form: { upload?: Upload; fields: [string, string][] } = { fields: [] };
  try {
    const options = {
      limits: { fileSize: intake.maxBytes, fieldSize: maxMaskFieldBytes },
      signal: watch.signal,
    };
    for await (const part of readParts(request, options)) {
      if (part.type === 'file' && part.fieldname === maskField)
        form.fields.push([maskField, await readMask(part.file)]);
      else if (part.type === 'file')
        form.upload = await receiveFile(deps, intake, { part, earlier: form.upload, watch, request });
      else form.fields.push([part.fieldname, readShortField(part)]);
    }
    if (form.upload?.sizeBytes === 0) throw new AppError('empty_file');
    return form;
  } catch (error) {
    if (form.upload) await abandonUpload(deps, form.upload);
    throw toFormError(error);
  } finally {
    watch.stop();
  }
}

type FilePart = { fieldname: string; filename: string | undefined; file: Readable };
type UploadPartInput = { part: FilePart; earlier: Upload | undefined; watch: UploadWatch; request: FastifyRequest };

async function receiveFile(
  deps: UploadDeps,
  intake: UploadTarget,
  { part, earlier, watch, request }: UploadPartInput,
): Promise<Upload> {
  if (part.fieldname !== 'image')
    throw new AppError('invalid_parameter', { param: part.fieldname, detail: 'Send the image in the "image" field.' });
  if (earlier) throw new AppError('invalid_parameter', { param: 'image', detail: '"image" was sent more than once.' });
  const filename = cleanFilename(part.filename);
  intake.onFilename?.(filename);
  // Beyond the limit, the parser would drop the data. Aborting immediately ensures that nothing more is read.
  part.file.once('limit', () => watch.abort(makeFileTooLargeError(intake.maxBytes)));
  const received = { request, source: part.file, signal: watch.signal };
  const upload = await storeReceived(deps, await intake.begin(), received);
  return { ...upload, filename };
}

/** Streams bytes into storage. Deletes the upload if this fails or the signal aborts. */
export async function storeUpload(
  deps: UploadDeps,
  begun: BegunUpload,
  { source, ...options }: { source: Readable; signal?: AbortSignal; maxBytes?: number },
): Promise<Omit<Upload, 'filename'>> {
  try {
    const stored = await deps.storage.put(begun.key, source, options);
    options.signal?.throwIfAborted();
    await settleReservedBytes(deps, { ...begun, ...stored });
    return { ...begun, ...stored };
  } catch (error) {
    await abandonUpload(deps, begun);
    throw error;
  }
}

/** Stores a body, or a file in a body, like `storeUpload`. Takes turns with the bodies of other callers. */
export async function storeReceived(
  deps: UploadDeps,
  begun: BegunUpload,
  received: Parameters<typeof openTurns>[1],
): Promise<Omit<Upload, 'filename'>> {
  const source = openTurns(deps, received);
  return storeUpload(deps, begun, { source, signal: received.signal }).finally(() => source.destroy());
}

/** Streams a request body into storage, up to the caller's size limit. */
export async function receiveBody(deps: UploadDeps, actor: Actor, request: FastifyRequest): Promise<Upload> {
  const { raw, headers } = request;
  const maxBytes = maxUploadBytesOf(actor);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw makeFileTooLargeError(maxBytes);
  const watch = await openUploadWatch(deps, request, maxBytes);
  try {
    const begun = await beginUpload(deps, { actor, bytes: maxBodyBytesOf(request, maxBytes) });
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

const overreadCheckMs = 100;

/**
 * Aborts an upload with `file_too_large` when its body exceeds `maxBytes`. The size limit per file isn't enough,
 * because the rest of a file beyond that limit is still read and then dropped. Returns a function that stops the check.
 */
export function capBody({ raw }: FastifyRequest, watch: UploadWatch, maxBytes: number): () => void {
  const before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    if (raw.socket.bytesRead - before > maxBytes) watch.abort(makeFileTooLargeError(maxBytes));
  }, overreadCheckMs);
  return () => clearInterval(timer);
}

type FieldPart = { fieldname: string; value: unknown; valueTruncated?: boolean };

export function readField({ fieldname, value, valueTruncated }: FieldPart): string {
  if (typeof value === 'string' && !valueTruncated) return value;
  if (typeof value === 'number') return String(value);
  throw new AppError('invalid_parameter', { param: fieldname, limitName: valueTruncated ? 'form_parts' : undefined });
}

/** Reads a field of at most `limits.formFieldBytes`, unless it is a mask in base64. */
function readShortField(part: FieldPart): string {
  const value = readField(part);
  if (part.fieldname === maskField || Buffer.byteLength(value) <= limits.formFieldBytes) return value;
  throw new AppError('invalid_parameter', { param: part.fieldname, limitName: 'form_parts' });
}

/** Reads the file of a mask. Throws the errors of `parseMask`. */
async function readMask(file: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.length;
    // One byte more than allowed is enough for the error. The rest is read and dropped.
    if (bytes - chunk.length <= limits.maskBytes) chunks.push(chunk);
  }
  return parseMask(Buffer.concat(chunks));
}

type Parts = ReturnType<FastifyRequest['parts']>;
export type Part = Awaited<ReturnType<Parts['next']>>['value'];
type Options = { limits: NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits']; signal: AbortSignal };

const parserErrors = new WeakSet<object>();

/**
 * Whether `@fastify/multipart` or busboy raised an error while `readParts` was reading a form. Such an error means that
 * the form can't be parsed. Other errors, such as those of storage or the database, are never caused by the client.
 */
const isParserError = (error: unknown): boolean => error instanceof Error && parserErrors.has(error);

/** Returns the error for a form that can't be parsed. Returns any other error unchanged. */
export function toFormError(error: unknown): unknown {
  if (error instanceof AppError || !isParserError(error)) return error;
  const isLimit = /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(String((error as { code?: unknown }).code));
  return new AppError('malformed_multipart', { limitName: isLimit ? 'form_parts' : undefined, cause: error });
}

/**
 * Yields the parts of a form as they arrive, until the signal aborts. Throws the signal's reason and the parser's
 * errors.
 */
export async function* readParts(request: FastifyRequest, { limits, signal }: Options): AsyncGenerator<Part> {
  try {
    for await (const part of untilAborted(request.parts({ limits }), signal)) {
      if (part.type === 'file') {
        const { file } = part;
        // Listens to both events, because the stream may emit one error and be destroyed with another.
        file.on('error', rememberParserError).once('close', () => rememberParserError(file.errored));
        rememberParserError(file.errored);
      }
      yield part;
    }
  } catch (error) {
    rememberParserError(error);
    throw error;
  }
}

/** Throws the signal's reason when it aborts, even while waiting for an item. */
async function* untilAborted<T>(source: AsyncIterator<T>, signal: AbortSignal): AsyncGenerator<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
  });
  aborted.catch(() => {});
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const item = await Promise.race([source.next(), aborted]);
      if (item.done) return;
      yield item.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Remembers an error if the parser raised it. busboy throws plain errors, and the plugin throws `FST_` errors with a
 * status code below 500. Any other error is a bug.
 */
function rememberParserError(error: unknown): void {
  if (!(error instanceof Error)) return;
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number };
  const isPlugins = code?.startsWith('FST_') && statusCode < 500;
  const isBusboys = code === undefined && error.constructor === Error;
  if (isPlugins || isBusboys) parserErrors.add(error);
}
