import { AppError } from '@uprez/contracts/errors/app-error';
import { mimeTypes, outputFormats } from '@uprez/contracts/policy/images/image-formats';
import { resultTypes } from '@uprez/contracts/v1/result-types';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { EventRepresentation, Representation } from '../features/jobs/representation.ts';

const { json, octets, events } = resultTypes;
const imageTypes = outputFormats.map((format) => mimeTypes[format]);
/** Response types in order of preference for a client that accepts anything. */
const available: readonly string[] = [json, octets, ...imageTypes, events];

/** Parameters of media ranges besides `q`, such as `charset`. Responses are the same with and without them. */
const parameters = /;[ \t]*(?!q=)[\w-]+=(?:"[^"]{0,200}"|[^;,"]*)/g;

/**
 * Returns the representation for the client of a processing request, by its `Accept` header (RFC 9110, 12.5.1): the
 * first range with the highest `q` decides. Throws `not_acceptable`.
 */
export function negotiate(
  request: Pick<FastifyRequest, 'headers'>,
  present: EventRepresentation['present'],
): Representation {
  const accept = (request.headers.accept?.trim() || '*/*').toLowerCase().replace(parameters, '');
  const negotiator = new Negotiator({ headers: { accept } });
  const accepted = negotiator.mediaTypes([...available]);
  const ranges = negotiator.mediaTypes();
  const takesJson = accepted.includes(json);
  // Browsers and Java's HttpURLConnection list image types with every request.
  if (takesJson && ranges.includes('text/html')) return jsonRepresentation();
  for (const range of ranges) {
    const [type] = available.filter((name) => accepted.includes(name) && isIn(range, name));
    if (type === json) return jsonRepresentation();
    if (type === events) return { kind: 'events', takesJson, present };
    if (type === octets)
      return { kind: 'file', takesJson, formats: outputFormats, format: undefined, mimeType: octets };
    if (type !== undefined) return imageRepresentation({ accepted, range, takesJson });
  }
  throw new AppError('not_acceptable', { param: 'Accept', allowed: available, got: request.headers.accept });
}

const jsonRepresentation = (): Representation => ({ kind: 'json', takesJson: true });

/** Whether a media range includes a type. Event streams must be requested by name. */
const isIn = (range: string, type: string) =>
  range === type || (type !== events && (range === '*/*' || range === `${type.split('/')[0]}/*`));

type Accepted = { accepted: readonly string[]; range: string; takesJson: boolean };

function imageRepresentation({ accepted, range, takesJson }: Accepted): Representation {
  const formats = accepted.flatMap((type) => outputFormats.find((format) => mimeTypes[format] === type) ?? []);
  const isAny = range.endsWith('*') && formats.length === outputFormats.length;
  return { kind: 'file', takesJson, formats, format: isAny ? undefined : formats[0], mimeType: undefined };
}
