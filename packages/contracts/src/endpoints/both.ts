import type { ErrorCode } from '../errors/error-codes.ts';
import type { KeyScope } from '../schemas/api-keys.ts';
import { publicForm } from '../v1/public-forms.ts';
import { type Endpoint, signedIn, withKey, write } from './endpoint.ts';

/**
 * An endpoint of both APIs. `errors`: those of both. `web` and `v1`: those of one of them in addition. `scope` and
 * `docs` apply to `/v1`.
 */
export type SharedEndpoint = Omit<Endpoint, 'auth'> & {
  scope: KeyScope;
  web: readonly ErrorCode[];
  v1: readonly ErrorCode[];
};

/** Errors of reading and of writing calls, by API. */
export const reading = { web: signedIn, v1: [...withKey, 'unsupported_encoding'] } as const;
export const writing = { web: [...signedIn, ...write], v1: [...reading.v1, 'unsupported_media_type'] } as const;

type Shared = Record<string, SharedEndpoint>;
type SessionEndpoint<Row extends SharedEndpoint> = Omit<Row, 'web' | 'v1' | 'scope' | 'docs' | 'errors'> & {
  errors: readonly ErrorCode[];
  auth: 'session';
};

/** The endpoints of `/api`, for signed-in users. */
export const forSession = <Rows extends Shared>(rows: Rows) =>
  mapValues(rows, ({ web, v1: _, scope: __, docs: ___, errors, ...row }) => ({
    ...row,
    errors: [...web, ...errors],
    auth: 'session',
  })) as unknown as { [Name in keyof Rows]: SessionEndpoint<Rows[Name]> };

/** The same endpoints of `/v1`, for API keys. The plugin of the gateway renames the fields of requests and responses. */
export const forKeys = <Rows extends Shared>(rows: Rows) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { web: _, v1, errors, answers, ...row }]) => [
      `v1${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      { ...row, answers: mapValues(answers, publicForm), errors: [...v1, ...errors], auth: 'key' },
    ]),
  ) as unknown as Record<`v1${Capitalize<keyof Rows & string>}`, Endpoint>;

const mapValues = <In, Out>(record: Record<string, In>, change: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
