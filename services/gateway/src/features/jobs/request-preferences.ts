import { AppError } from '@uprez/contracts/errors/app-error';
import {
  mimeTypes,
  type OutputFormat,
  outputFormats,
  type RequestedFormat,
} from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Fields } from '@uprez/contracts/recipe/parse-recipe';
import { resultTypes } from '@uprez/contracts/v1/headers';
import type { ProcessRequest } from '@uprez/domain/intake/accept-image';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { describeAllowedValues } from '../../http/validate.ts';

type FileRepresentation = {
  kind: 'file';
  /** Formats that the client accepts; all of them for `image/*`. */
  formats: readonly OutputFormat[];
  /** Undefined for the API's default. */
  format: OutputFormat | undefined;
  mimeType: string | undefined;
};

export type EventRepresentation = {
  kind: 'events';
  present: (found: JobWithFiles, notes: readonly string[]) => unknown;
};

/** The representation that a processing request prefers. `takesJson`: whether the client also accepts JSON. */
export type Representation = { takesJson: boolean } & ({ kind: 'json' } | FileRepresentation | EventRepresentation);

const { json, octets, events } = resultTypes;
const imageTypes = outputFormats.map((format) => mimeTypes[format]);
/** In order of preference for a client that accepts anything. */
const availableTypes: readonly string[] = [json, octets, ...imageTypes, events];

/**
 * Parameters of media ranges other than `q`, such as `charset`. They are ignored, because they don't change the
 * response.
 */
const parameterPattern = /;[ \t]*(?!q=)[\w-]+=(?:"[^"]{0,200}"|[^;,"]*)/g;

/**
 * Returns the representation to send for a processing request. Uses the first range with the highest `q` in the
 * `Accept` header (RFC 9110, 12.5.1). Throws `not_acceptable`.
 */
export function negotiate(
  request: Pick<FastifyRequest, 'headers'>,
  present: EventRepresentation['present'],
): Representation {
  const accept = (request.headers.accept?.trim() || '*/*').toLowerCase().replace(parameterPattern, '');
  const negotiator = new Negotiator({ headers: { accept } });
  const accepted = negotiator.mediaTypes([...availableTypes]);
  const ranges = negotiator.mediaTypes();
  const takesJson = accepted.includes(json);
  // Sends JSON to browsers and Java's HttpURLConnection, which list text/html and image types in every request.
  if (takesJson && ranges.includes('text/html')) return jsonRepresentation();
  for (const range of ranges) {
    const [type] = availableTypes.filter((name) => accepted.includes(name) && isTypeInRange(range, name));
    if (type === json) return jsonRepresentation();
    if (type === events) return { kind: 'events', takesJson, present };
    if (type === octets)
      return { kind: 'file', takesJson, formats: outputFormats, format: undefined, mimeType: octets };
    if (type !== undefined) return imageRepresentation({ accepted, range, takesJson });
  }
  throw new AppError('not_acceptable', { param: 'Accept', allowed: availableTypes, got: request.headers.accept });
}

const jsonRepresentation = (): Representation => ({ kind: 'json', takesJson: true });

/** Wildcards don't include event streams. */
const isTypeInRange = (range: string, type: string) =>
  range === type || (type !== events && (range === '*/*' || range === `${type.split('/')[0]}/*`));

type AcceptedTypes = { accepted: readonly string[]; range: string; takesJson: boolean };

function imageRepresentation({ accepted, range, takesJson }: AcceptedTypes): Representation {
  const formats = accepted.flatMap((type) => outputFormats.find((format) => mimeTypes[format] === type) ?? []);
  const isAny = range.endsWith('*') && formats.length === outputFormats.length;
  return { kind: 'file', takesJson, formats, format: isAny ? undefined : formats[0], mimeType: undefined };
}

/**
 * Parses the fields of a request. Uses the format from the `Accept` header if the fields don't specify one. Throws
 * `conflicting_params` for a format that the client doesn't accept. Throws `not_acceptable` for a dry run if the client
 * doesn't accept JSON, because the response to a dry run is JSON.
 */
export function parseRequestFor(
  wanted: Representation,
  fields: Fields,
  parseFields: (fields: Fields) => ProcessRequest,
): ProcessRequest {
  const sent = parseFields(fields);
  if (sent.options.dryRun && !wanted.takesJson)
    throw new AppError('not_acceptable', {
      detail: 'The response to a dry run is JSON.',
      param: 'Accept',
      allowed: ['application/json'],
      hint: 'Set Accept to application/json, or remove "dry_run".',
    });
  if (wanted.kind !== 'file') return sent;
  if (sent.given?.format !== undefined) return requireAcceptedFormat(wanted, sent.recipe.format, sent);
  return wanted.format === undefined ? sent : parseFields([...fields, ['format', wanted.format]]);
}

function requireAcceptedFormat(
  { formats, format: preferred }: FileRepresentation,
  format: RequestedFormat,
  sent: ProcessRequest,
): ProcessRequest {
  const isAccepted = format === 'auto' ? preferred === undefined : formats.includes(format);
  if (isAccepted) return sent;
  const types = formats.map((name) => mimeTypes[name]);
  throw new AppError('conflicting_params', {
    detail: `The result would be "${format}", but "Accept" allows only ${types.join(', ')}.`,
    param: sent.given?.format ?? 'format',
    allowed: formats,
    hint: 'Set the format in "Accept" or in "format", or use the same in both.',
  });
}

/** Returns the default wait of a request, in seconds. A request for the image file waits for the maximum time. */
export const defaultWaitSeconds = ({ kind }: Representation): number =>
  kind === 'file' ? limits.maxWaitSeconds : limits.waitSeconds;

type WaitOptions = {
  isAsync?: boolean | undefined;
  fallback?: number;
};

/**
 * Returns how long a request waits for its result, in seconds. The field `async` takes precedence over the `Prefer`
 * header. If the header takes effect, `Preference-Applied` confirms it.
 */
export function readWaitSeconds(
  { setHeaders }: { setHeaders: (reply: FastifyReply, headers: Record<string, string | number>) => FastifyReply },
  reply: FastifyReply,
  { isAsync, fallback = limits.waitSeconds }: WaitOptions = {},
): number {
  if (isAsync !== undefined) return isAsync ? 0 : fallback;
  const preferred = readPreferredWait(listPreferences(reply.request));
  if (preferred === undefined) return fallback;
  setHeaders(reply, { 'preference-applied': preferred === 0 ? 'respond-async' : `wait=${preferred}` });
  return preferred;
}

/** Returns the preferences of a request (RFC 7240), in lowercase. */
const listPreferences = ({ headers }: Pick<FastifyRequest, 'headers'>): string[] =>
  String(headers.prefer ?? '')
    .split(',')
    .map((preference) => preference.trim().toLowerCase())
    .filter((preference) => preference !== '');

const waitPattern = /^wait *= *(?:(\d{1,4})|"(\d{1,4})")$/;
const isAsyncPreference = (preference: string) => preference === 'respond-async';

/** In seconds, up to the maximum. Returns 0 for `respond-async`, and undefined if neither is present. */
function readPreferredWait(preferences: readonly string[]): number | undefined {
  if (preferences.some(isAsyncPreference)) return 0;
  const match = preferences.map((text) => waitPattern.exec(text)).find((found) => found !== null);
  return match ? Math.min(Number(match[1] ?? match[2]), limits.maxWaitSeconds) : undefined;
}

/** Maximum length of a preference in a note, in characters. */
const maxDisplayLength = 40;

/**
 * Returns a note for each of the first 5 ignored preferences. Unknown preferences aren't errors (RFC 7240, 2). `waits`:
 * whether the request can wait for results.
 */
export const noteIgnoredPreferences = (request: Pick<FastifyRequest, 'headers'>, { waits = true } = {}): string[] =>
  listPreferences(request)
    .filter((preference) => !isAsyncPreference(preference) && !(waits && waitPattern.test(preference)))
    .map((preference) => `The preference "${preference.slice(0, maxDisplayLength)}" isn't supported and was ignored.`)
    .slice(0, 5);

/**
 * Returns the Idempotency-Key header, or undefined if it's missing. Throws `invalid_parameter` if it's empty or too
 * long.
 */
export function readIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  const key = String(sent);
  if (key.trim() !== '' && key.length <= limits.idempotencyKeyLength) return key;
  const allowed = `1 to ${limits.idempotencyKeyLength} characters`;
  const param = 'Idempotency-Key';
  throw new AppError('invalid_parameter', { detail: describeAllowedValues(param, allowed), param, allowed, got: key });
}
