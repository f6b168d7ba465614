import { type Fields, toCamelCase } from '@uprez/contracts/recipe/parse-recipe';
import { parseV1Request } from '@uprez/contracts/v1/parse-v1-request';
import type { Actor } from '@uprez/domain/actor';
import { cleanFilename } from '@uprez/domain/intake/clean-filename';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { isJson, type ReceiveInput, receiveBase64Image, resolveImage } from '../features/uploads/receive-image.ts';
import { makeUploadTarget, type ReceivedForm, receiveBody, receiveForm } from '../features/uploads/receive-upload.ts';
import { hasBody, isForm } from '../http/bodies/request-bodies.ts';
import { unsupportedType } from './errors.ts';

type V1Deps = Pick<Deps, 'db' | 'storage' | 'log' | 'network' | 'bodies'>;
type Form = Partial<ReceivedForm> & Pick<ReceivedForm, 'fields'>;

const readQuery = ({ url }: Pick<FastifyRequest, 'url'>): [string, string][] => [
  ...new URLSearchParams(url.split('?').slice(1).join('?')),
];

/**
 * Receives an image and its fields: from a form, from the image as the request body, or from JSON with base64 in
 * `image`. An `image_url` can replace the image in each case. Fields can also be in the query string. Throws
 * `unsupported_media_type`, and the errors of `parseV1Request`, `receiveForm`, `receiveBody`, and `resolveImage`.
 */
export async function receiveV1Form(
  deps: V1Deps,
  actor: Actor,
  { signal, ...receiving }: ReceiveInput,
): Promise<ReceivedForm> {
  const query = readQuery(receiving.request);
  // First, because an invalid request should fail before the image is received.
  parseV1Request(query);
  const body = await receiveBodyByType(deps, actor, receiving);
  const { upload, fields } = await resolveImage(deps, actor, {
    form: { ...body, fields: [...query, ...body.fields] },
    signal,
  });
  return { upload: { ...upload, filename: nameOf(fields) ?? (upload.filename || 'image') }, fields };
}

type ReadInput = Omit<ReceiveInput, 'signal'>;

async function receiveBodyByType(deps: V1Deps, actor: Actor, { request, onFilename }: ReadInput): Promise<Form> {
  const type = request.headers['content-type'];
  if ((type === undefined || isJson(request)) && !hasBody(request.raw)) return { fields: [] };
  if (isForm(request)) return receiveForm(deps, makeUploadTarget(deps, { actor, request, onFilename }), request);
  if (isJson(request)) return receiveBase64Image(deps, makeUploadTarget(deps, { actor, request, onFilename }), request);
  if (type && /^(image\/[\w.+-]+|application\/octet-stream)\s*(;|$)/i.test(type))
    return { upload: await receiveBody(deps, actor, request), fields: [] };
  throw unsupportedType(request);
}

const nameOf = (fields: Fields): string | undefined => {
  const [, name] = fields.find(([sent]) => toCamelCase(sent) === 'filename') ?? [];
  return name === undefined ? undefined : cleanFilename(name);
};
