import { Readable } from 'node:stream';
import { AppError, fileTooLarge } from '@uprez/contracts/errors/app-error';
import { camelCase, type Fields } from '@uprez/contracts/recipe/parse-recipe';
import { parseV1 } from '@uprez/contracts/v1/parse-v1';
import type { Actor } from '@uprez/domain/actor';
import { cleanFilename } from '@uprez/domain/intake/clean-filename';
import { beginUpload } from '@uprez/domain/uploads/begin-upload';
import { largestUpload } from '@uprez/domain/uploads/largest-upload';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { receiveBody } from '../features/batches/receive-item.ts';
import { bringImage, isJson, type Receiving, readJsonFields } from '../features/uploads/receive-image.ts';
import { receiveJson } from '../features/uploads/receive-json.ts';
import { ownIntake, type ReceivedForm, receiveForm, storeUpload } from '../features/uploads/receive-upload.ts';
import { hasBody, isForm } from '../http/bodies/body-headers.ts';
import { unsupportedType } from './errors.ts';

type V1Deps = Pick<Deps, 'db' | 'storage' | 'log' | 'network'>;
type Form = Partial<ReceivedForm> & Pick<ReceivedForm, 'fields'>;

/** The parameters of the query string, in order and with repeats. */
const readQuery = ({ url }: Pick<FastifyRequest, 'url'>): [string, string][] => [
  ...new URLSearchParams(url.split('?').slice(1).join('?')),
];

/**
 * Receives an image and its fields: a form, the image as the request body, or JSON with base64 in `image`. Any of them
 * can have an `image_url` instead of the image. Fields can also be in the query string. Throws `unsupported_media_type`,
 * and the errors of `parseV1`, `receiveForm`, `receiveBody`, and `bringImage`.
 */
export async function receiveV1(
  deps: V1Deps,
  actor: Actor,
  { signal, ...receiving }: Receiving,
): Promise<ReceivedForm> {
  const query = readQuery(receiving.request);
  // Validated before the image is received.
  parseV1(query);
  const body = await receiveOne(deps, actor, receiving);
  const { upload, fields } = await bringImage(deps, actor, {
    form: { ...body, fields: [...query, ...body.fields] },
    signal,
  });
  return { upload: { ...upload, filename: nameOf(fields) ?? (upload.filename || 'image') }, fields };
}

type Reading = Omit<Receiving, 'signal'>;

async function receiveOne(deps: V1Deps, actor: Actor, { request, tellName }: Reading): Promise<Form> {
  const type = request.headers['content-type'];
  if ((type === undefined || isJson(request)) && !hasBody(request.raw)) return { fields: [] };
  if (isForm(request)) return receiveForm(deps, ownIntake(deps, actor, tellName), request);
  if (isJson(request)) return receiveJson(actor, { request, take: (body) => takeBase64(deps, actor, body) });
  if (type && /^(image\/[\w.+-]+|application\/octet-stream)\s*(;|$)/i.test(type))
    return { upload: await receiveBody(deps, actor, request), fields: [] };
  throw unsupportedType(request);
}

const nameOf = (fields: Fields): string | undefined => {
  const [, name] = fields.find(([sent]) => camelCase(sent) === 'filename') ?? [];
  return name === undefined ? undefined : cleanFilename(name);
};

/**
 * Optionally in a data URL (RFC 2397), and with the white space of encoders and copied texts. Adjacent groups share no
 * characters, so matching takes linear time.
 */
const base64 = /^(?:data:[^,]{0,200};base64,)?([A-Za-z0-9+/_=\r\n\t -]*)$/i;
const padding = /^=[\r\n\t ]{0,9}=?[\r\n\t ]{0,99}$/;

/** The digits of an image in base64; undefined for any other text. */
function readBase64(text: string): string | undefined {
  const [, digits] = base64.exec(text) ?? [];
  const end = digits?.indexOf('=') ?? -1;
  return end < 0 || padding.test(digits?.slice(end) ?? '') ? digits : undefined;
}

/** Stores the image of a JSON body and returns its fields. */
async function takeBase64(deps: V1Deps, actor: Actor, body: unknown): Promise<Form> {
  const all = readJsonFields(body);
  const fields = all.filter(([name]) => name !== 'image');
  const [, text] = all.find(([name]) => name === 'image') ?? [];
  if (text === undefined) return { fields };
  const digits = readBase64(text);
  if (digits === undefined)
    throw new AppError('invalid_parameter', {
      detail: '"image" must be base64, optionally prefixed with "data:image/...;base64,".',
      param: 'image',
      allowed: 'base64',
    });
  const bytes = Buffer.from(digits, 'base64');
  if (bytes.length === 0) throw new AppError('empty_file', { param: 'image' });
  if (bytes.length > largestUpload(actor)) throw fileTooLarge(largestUpload(actor), 'image');
  const begun = await beginUpload(deps, { actor });
  const upload = await storeUpload(deps, begun, { source: Readable.from([bytes]) });
  return { upload: { ...upload, filename: '' }, fields };
}
