import { camelCase, type Fields } from '@uprez/contracts/recipe/parse-recipe';
import { parseV1 } from '@uprez/contracts/v1/parse-v1';
import type { Actor } from '@uprez/domain/actor';
import { cleanFilename } from '@uprez/domain/intake/clean-filename';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { receiveBody } from '../features/batches/receive-item.ts';
import { bringImage, isJson, type Receiving } from '../features/uploads/receive-image.ts';
import { receiveJson } from '../features/uploads/receive-json.ts';
import { ownIntake, type ReceivedForm, receiveForm } from '../features/uploads/receive-upload.ts';
import { hasBody, isForm } from '../http/bodies/body-headers.ts';
import { unsupportedType } from './errors.ts';

type V1Deps = Pick<Deps, 'db' | 'storage' | 'log' | 'network' | 'bodies'>;
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
  if (isForm(request)) return receiveForm(deps, ownIntake(deps, { actor, request, tellName }), request);
  if (isJson(request)) return receiveJson(deps, ownIntake(deps, { actor, request, tellName }), request);
  if (type && /^(image\/[\w.+-]+|application\/octet-stream)\s*(;|$)/i.test(type))
    return { upload: await receiveBody(deps, actor, request), fields: [] };
  throw unsupportedType(request);
}

const nameOf = (fields: Fields): string | undefined => {
  const [, name] = fields.find(([sent]) => camelCase(sent) === 'filename') ?? [];
  return name === undefined ? undefined : cleanFilename(name);
};
