import * as z from 'zod';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { Permission } from '../policy/admin/permissions.ts';
import type { KeyScope, ServiceScope } from '../schemas/api-keys.ts';
import type { V1RequestHeader, V1ResponseHeader } from '../v1/headers.ts';
import { v1SchemaOf } from '../v1/schemas.ts';
import type { RouteName } from './routes.ts';

/** Documentation of a public endpoint that its schemas don't express. */
export type EndpointDocs = {
  /** Bodies by content type, for endpoints that parse their body themselves. */
  requestBodies?: Record<string, z.ZodType>;
  /** Query parameters, for endpoints that parse their query themselves. */
  queryFields?: z.ZodType;
  /** Request and response headers, in addition to the common headers. */
  requestHeaders?: readonly V1RequestHeader[];
  responseHeaders?: readonly V1ResponseHeader[];
  /** Content type of the response, if not JSON. */
  responseType?: string;
  /** Descriptions of the additional content types of a 200 response, keyed by content type. */
  otherTypes?: Record<string, string>;
  /** Descriptions that replace the default ones, keyed by status. */
  statuses?: Record<number, string>;
  /** Descriptions of additional responses that have no body, keyed by status. */
  otherStatuses?: Record<number, string>;
};

export type Endpoint = EndpointParts & Caller;

/**
 * `optional`: anyone, signed in or not. `session`: signed-in users. `admin`: signed-in administrators whose role includes
 * the permission; with `stepUp`, only after they recently entered the password or a code. `signature`: anyone with a signed
 * URL. `key`: API keys with the scope. `service`: service keys with the scope.
 */
type Caller =
  | { auth: 'none' | 'optional' | 'session' | 'signature' | 'key' | 'service' }
  | ({ auth: 'admin' } & AdminRights);
type AdminRights = { permission: Permission; stepUp?: true };

type EndpointParts = {
  route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  body?: z.ZodType;
  query?: z.ZodType;
  params?: z.ZodType;
  /** Response body by status. `bytes`: a body that isn't JSON. */
  answers: Record<number, z.ZodType>;
  errors: readonly ErrorCode[];
  scope?: KeyScope | ServiceScope;
  /**
   * Whether a successful request is charged or starts a payment. The endpoint's error messages then say whether
   * anything was charged.
   */
  charges?: boolean;
  /** Whether the endpoint processes images. The account must then have accepted the current terms of service. */
  processes?: boolean;
  docs?: EndpointDocs;
};

/** Path parameters accept any string, because an ID that isn't a UUID gets the same response as an unknown ID. */
const idParams = z.object({ id: z.string().describe('ID of the resource.') });
export const bytesSchema = z.unknown();
export const emptySchema = z.null();

/** Returns what endpoints that export a table have in common. */
export const exportOf = <Query extends z.ZodType>(query: Query) =>
  ({ query, answers: { 200: bytesSchema }, errors: ['export_too_large'] }) as const;

const keyErrors = ['bad_api_key', 'wrong_scope', 'address_not_allowed', 'plan_feature'] as const;
const callerErrors: Record<Endpoint['auth'], readonly ErrorCode[]> = {
  none: [],
  optional: [],
  signature: [],
  session: ['not_signed_in'],
  admin: ['not_signed_in', 'admin_only', 'permission_missing', 'admin_two_factor'],
  key: keyErrors,
  // An account's API key can also be sent to these endpoints. Its scope is checked last, so any of these errors can
  // occur first.
  service: keyErrors,
};

const sessionAuthTypes: ReadonlySet<Endpoint['auth']> = new Set(['optional', 'session', 'admin']);

/** Lists only its own errors, not the common ones. Parameters are required only if they aren't a single `:id`. */
type EndpointRow = Omit<EndpointParts, 'errors'> & { errors?: readonly ErrorCode[] };
type AdminRow = EndpointRow & AdminRights;

/** Mail programs send one-click unsubscribe requests without a cookie (RFC 8058), and the URL is signed. */
export const acceptsAnyOrigin = (name: RouteName): boolean => name === 'unsubscribe';

function commonErrors(name: RouteName, auth: Endpoint['auth'], row: EndpointRow | AdminRow): ErrorCode[] {
  const [method, path = ''] = row.route.split(' ');
  const errors = [...callerErrors[auth]];
  if ('stepUp' in row) errors.push('step_up_required');
  if (row.processes) errors.push('terms_not_accepted');
  // Errors for administrators who are viewing the web app as a user. Writes are rejected even on endpoints that are
  // open to visitors.
  if (path.startsWith('/api/') && (method !== 'GET' || sessionAuthTypes.has(auth)))
    errors.push('read_only_view', 'view_ended');
  if (path.startsWith('/v1/')) errors.push('unsupported_encoding');
  if (method !== 'GET' && !acceptsAnyOrigin(name))
    errors.push(path.startsWith('/v1/') ? 'unsupported_media_type' : 'bad_origin');
  // Endpoints of the public API reject unknown parameters, even if they don't have parameters of their own.
  if (row.body || row.query || auth === 'key') errors.push('invalid_parameter');
  return errors;
}

type DefinedEndpoints<Rows, Auth> = {
  [Name in keyof Rows]: Omit<Rows[Name], 'errors' | keyof SharedEndpoint> &
    ParamsOf<Rows[Name]> & { errors: readonly ErrorCode[]; auth: Auth };
};
type ParamsOf<Row> = Row extends { params: z.ZodType }
  ? unknown
  : Row extends { route: `${string}/:id${string}` }
    ? { params: typeof idParams }
    : unknown;
/**
 * Properties of a shared endpoint that apply only under `/v1`. `v1`: additional errors. `v1Path`: the path, if it
 * differs from the path under `/api`.
 */
type SharedEndpoint = { scope: KeyScope; docs?: EndpointDocs; v1?: readonly ErrorCode[]; v1Path?: `/v1/${string}` };

const defineRows = <Auth extends Endpoint['auth'], Rows extends Record<string, EndpointRow>>(auth: Auth, rows: Rows) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { errors = [], ...row }]) => [
      name,
      {
        ...(row.route.includes('/:id') && { params: idParams }),
        ...row,
        auth,
        errors: [...commonErrors(name as RouteName, auth, row), ...errors],
      },
    ]),
  ) as unknown as DefinedEndpoints<Rows, Auth>;

/** Defines endpoints for a type of caller, and adds their common errors. */
export const defineEndpoints = <
  const Auth extends Exclude<Endpoint['auth'], 'admin'>,
  const Rows extends Record<string, EndpointRow>,
>(
  auth: Auth,
  rows: Rows,
) => defineRows(auth, rows);

export const defineAdminEndpoints = <const Rows extends Record<string, AdminRow>>(rows: Rows) =>
  defineRows('admin', rows);

/**
 * Defines endpoints under `/api` for signed-in users, and the same endpoints under `/v1` for API keys. A gateway plugin
 * renames the fields of requests and responses.
 */
export function defineShared<const Rows extends Record<string, EndpointRow & SharedEndpoint>>(rows: Rows) {
  const session = Object.entries(rows).map(([name, row]) => {
    const { scope: _, docs: __, v1: ___, v1Path: ____, ...shared } = row;
    return [name, shared];
  });
  const keys = Object.entries(rows).map(([name, { v1 = [], v1Path, errors = [], ...row }]) => {
    const [method, path = ''] = row.route.split(' ');
    const answers = Object.entries(row.answers).map(([status, schema]) => [status, v1SchemaOf(schema)]);
    return [
      `v1${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      {
        ...row,
        route: `${method} ${v1Path ?? path.replace(/^\/api/, '/v1')}`,
        answers: Object.fromEntries(answers),
        errors: [...errors, ...v1],
      },
    ];
  });
  return {
    api: defineEndpoints('session', Object.fromEntries(session) as Rows),
    v1: defineEndpoints('key', Object.fromEntries(keys) as Record<`v1${Capitalize<keyof Rows & string>}`, EndpointRow>),
  };
}
