import { AppError } from '@uprez/contracts/errors/app-error';
import { mimeTypes, type OutputFormat, type RequestedFormat } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Fields } from '@uprez/contracts/recipe/parse-recipe';
import type { ProcessRequest } from '@uprez/domain/intake/accept-image';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';

/** The result file itself. */
export type FileRepresentation = {
  kind: 'file';
  /** Formats that the client accepts; all of them for `image/*`. */
  formats: readonly OutputFormat[];
  /** The format that the client prefers. Undefined for the API's default. */
  format: OutputFormat | undefined;
  /** The content type of the response, if it differs from the format's. */
  mimeType: string | undefined;
};

/** The changes of the job as server-sent events. */
export type EventRepresentation = {
  kind: 'events';
  /** Presents a job as the data of an event. `notes`: notes on the request. */
  present: (found: JobWithFiles, notes: readonly string[]) => unknown;
};

/** The representation that a processing request prefers. `takesJson`: whether the client also accepts JSON. */
export type Representation = { takesJson: boolean } & ({ kind: 'json' } | FileRepresentation | EventRepresentation);

/** Returns the default wait of a request, seconds. A request for the image itself waits for the maximum. */
export const defaultWaitSeconds = ({ kind }: Representation): number =>
  kind === 'file' ? limits.maxWaitSeconds : limits.waitSeconds;

/**
 * Parses the fields of a request, with the format from its `Accept` header. Throws `conflicting_params` for a format
 * that the client doesn't accept, and `not_acceptable` for a dry run, whose response is JSON.
 */
export function parseFor(
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
  if (sent.given?.format !== undefined) return requireAccepted(wanted, sent.recipe.format, sent);
  return wanted.format === undefined ? sent : parseFields([...fields, ['format', wanted.format]]);
}

function requireAccepted(
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
