import { Readable } from 'node:stream';
import { AppError, makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { findField, toCamelCase } from '@uprez/contracts/recipe/parse-recipe';
import { recipeFields } from '@uprez/contracts/recipe/recipe-fields';
import { type V1Option, v1Options } from '@uprez/contracts/v1/fields';
import type { Actor } from '@uprez/domain/actor';
import { cleanFilename, decodeName } from '@uprez/domain/intake/clean-filename';
import type { Upload } from '@uprez/domain/intake/prepare-upload';
import { abandonUpload, type FetchInput, fetchUpload } from '@uprez/domain/uploads/begin-upload';
import { parse } from 'content-disposition';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../../deps.ts';
import { cutField, decodeBase64, type FieldCutter } from '../../http/bodies/cut-field.ts';
import { jsonTooLarge, parseJson } from '../../http/bodies/read-json.ts';
import { takeTurns } from '../../http/bodies/request-bodies.ts';
import { openUploadWatch, type UploadWatch } from '../../http/bodies/watch-upload.ts';
import { describeAllowedValues, formatSentValue } from '../../http/validate.ts';
import {
  makeUploadTarget,
  type OnFilename,
  type ReceivedForm,
  receiveForm,
  storeUpload,
  type UploadDeps,
  type UploadTarget,
} from './receive-upload.ts';

type FetchDeps = Pick<Deps, 'db' | 'storage' | 'log' | 'network'>;
type ImageDeps = FetchDeps & Pick<Deps, 'bodies'>;
/** `onFilename`: called with the name of a file in a form before the file is received. */
export type ReceiveInput = { request: FastifyRequest; signal: AbortSignal; onFilename: OnFilename };
type Fields = ReceivedForm['fields'];

const bodySchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const urlFieldPattern = /^image[-_]?url$/i;

/**
 * Receives an image and its fields. The image is either the file in the field `image` of a multipart form, or the file
 * at the URL in `imageUrl` of a form or a JSON body. Fetching stops when the signal aborts. Throws the errors of
 * `receiveUpload` and `fetchUpload`, and `conflicting_params` if both fields are sent.
 */
export async function receiveImage(
  deps: ImageDeps,
  actor: Actor,
  { request, signal, onFilename }: ReceiveInput,
): Promise<ReceivedForm> {
  const form = isJson(request)
    ? { fields: readJsonFields(request.body) }
    : await receiveForm(deps, makeUploadTarget(deps, { actor, request, onFilename }), request);
  return resolveImage(deps, actor, { form, signal });
}

type ResolveOptions = { form: Partial<ReceivedForm> & Pick<ReceivedForm, 'fields'>; signal: AbortSignal };

/**
 * Returns the file uploaded in a form, or fetches the file at the form's `imageUrl`. Throws `no_image`,
 * `conflicting_params`, `invalid_parameter`, and the errors of `fetchUpload`.
 */
export async function resolveImage(
  deps: FetchDeps,
  actor: Actor,
  { form, signal }: ResolveOptions,
): Promise<ReceivedForm> {
  const urls = form.fields.filter(([name]) => urlFieldPattern.test(name));
  const fields = form.fields.filter(([name]) => !urlFieldPattern.test(name));
  const { upload } = form;
  const [url] = urls;
  if (upload && url) {
    await abandonUpload(deps, upload);
    throw new AppError('conflicting_params', { detail: `Send "image" or "${url[0]}", not both.`, param: url[0] });
  }
  if (urls.length > 1)
    throw new AppError('invalid_parameter', {
      detail: `"${urls[1]?.[0]}" was sent more than once.`,
      param: urls[1]?.[0] ?? '',
    });
  if (upload) return { upload, fields };
  if (!url) throw new AppError('no_image', { param: 'image' });
  const [sent, text] = url;
  const fetched = await fetchImage(deps, actor, { url: text.trim(), signal }).catch((error: unknown) => {
    throw error instanceof AppError && error.param !== undefined ? error.with({ param: sent }) : error;
  });
  return { upload: fetched, fields };
}

/**
 * Stores the file at a URL. Throws the errors of `fetchUpload`, `empty_file`, and `service_unavailable` if the signal
 * aborts.
 */
export async function fetchImage(deps: FetchDeps, actor: Actor, wanted: FetchInput): Promise<Upload> {
  const fetched = await fetchUpload(deps, { actor, ...wanted }).catch((error: unknown) => {
    // The signal aborts when the client disconnects or the gateway stops.
    throw wanted.signal.aborted ? new AppError('service_unavailable', { cause: error }) : error;
  });
  const upload = { ...fetched, filename: nameOfFile(fetched) };
  if (upload.sizeBytes > 0) return upload;
  await abandonUpload(deps, upload);
  throw new AppError('empty_file');
}

/**
 * Returns the name of a fetched file: from its `Content-Disposition` header (RFC 6266), or else from the end of its
 * URL.
 */
export function nameOfFile({ url, disposition }: { url: string; disposition: string | undefined }): string {
  return cleanFilename(readDispositionFilename(disposition) ?? filenameOfUrl(url));
}

function readDispositionFilename(header: string | undefined): string | undefined {
  if (!header) return undefined;
  try {
    return String(parse(header).parameters.filename ?? '') || undefined;
  } catch {
    return undefined;
  }
}

const filenameOfUrl = (url: string): string => decodeName(new URL(url).pathname.split('/').at(-1) ?? '');

export const isJson = ({ headers }: FastifyRequest) => /^application\/json\b/i.test(headers['content-type'] ?? '');

function allowedValuesOf(sent: string): string {
  const [field, option] = [findField(sent), toCamelCase(sent)];
  if (field) return recipeFields[field].allowed;
  if (Object.hasOwn(v1Options, option)) return v1Options[option as V1Option].allowed;
  return option === 'image' ? 'base64' : 'a string, a number, true, or false';
}

/**
 * Returns the fields of a JSON object in the same format as a form's. Omits fields that are null. Throws
 * `invalid_parameter` for a value that isn't a string, number, or boolean.
 */
function readJsonFields(body: unknown): Fields {
  const parsed = bodySchema.safeParse(body);
  if (parsed.success)
    return Object.entries(parsed.data).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
  const [name] = parsed.error.issues[0]?.path ?? [];
  const param = String(name ?? 'body').slice(0, 40);
  const allowed = name === undefined ? 'an object' : allowedValuesOf(param);
  const got = formatSentValue(name === undefined ? body : (body as Record<PropertyKey, unknown>)[name]);
  throw new AppError('invalid_parameter', { detail: describeAllowedValues(param, allowed), param, allowed, got });
}

export const imageField = 'image';

/**
 * Receives a JSON body. The field `image` contains an image in base64, which streams into storage as it arrives. Throws
 * `malformed_body`, `file_too_large`, `empty_file`, `invalid_parameter`, and the errors of `intake.begin`.
 */
export async function receiveBase64Image(
  deps: UploadDeps,
  intake: UploadTarget,
  request: FastifyRequest,
): Promise<Partial<ReceivedForm> & Pick<ReceivedForm, 'fields'>> {
  requireJsonSize(request);
  const watch = await openUploadWatch(deps, request, limits.jsonImageBytes);
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
    if (!upload && fields.length < all.length) throw notBase64Error();
    if (upload?.sizeBytes === 0) throw new AppError('empty_file', { param: 'image' });
    return { ...(upload && { upload }), fields };
  } catch (error) {
    if (upload) await abandonUpload(deps, upload);
    throw watch.signal.aborted ? bodyError(watch.signal.reason) : error;
  } finally {
    watch.stop();
  }
}

type ImageBody = { body: FieldCutter; watch: UploadWatch };

async function storeImage(deps: UploadDeps, intake: UploadTarget, { body, watch }: ImageBody): Promise<Upload> {
  const source = Readable.from(limitBytes(decodeBase64(body.readValue(), notBase64Error), intake.maxBytes), {
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
    if (bytes > maxBytes) throw makeFileTooLargeError(maxBytes, 'image');
    yield chunk;
  }
}

/** Throws `file_too_large` if the declared size is too large. Call it before reading the body. */
export function requireJsonSize({ headers }: FastifyRequest): void {
  if (Number(headers['content-length'] ?? 0) > limits.jsonImageBytes) throw jsonTooLarge(limits.jsonImageBytes);
}

/**
 * Yields the chunks of a JSON body that contains an image. Accounts take turns, one chunk at a time. Throws
 * `file_too_large` and `malformed_body`.
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

const notBase64Error = () =>
  new AppError('invalid_parameter', {
    detail: '"image" must be base64, optionally prefixed with "data:image/...;base64,".',
    param: 'image',
    allowed: 'base64',
  });
