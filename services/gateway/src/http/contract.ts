import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@uprez/contracts/endpoints/endpoint';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import type { KeyScope, ServiceScope } from '@uprez/contracts/schemas/api-keys';
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyRequest,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

type EndpointOf<Name extends RouteName> = (typeof endpoints)[Name];
type SchemaOf<Row, Key extends string> = Row extends Record<Key, infer Schema> ? Schema : undefined;

export type RouteConfig = {
  name: RouteName;
  auth: Endpoint['auth'];
  permission?: Permission | undefined;
  stepUp: boolean;
  scope?: KeyScope | ServiceScope | undefined;
  charges: boolean;
  processes: boolean;
};

export function contract<Name extends RouteName>(name: Name) {
  const row: EndpointOf<Name> = endpoints[name];
  const part = <Key extends string>(key: Key) =>
    (key in row ? (row as Record<string, unknown>)[key] : undefined) as SchemaOf<EndpointOf<Name>, Key>;
  const schema = { body: part('body'), querystring: part('query'), params: part('params'), response: row.answers };
  const given = Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as typeof schema;
  const endpoint: Endpoint = row;
  const { auth, scope, charges = false, processes = false } = endpoint;
  const { permission = undefined, stepUp = false } = endpoint.auth === 'admin' ? endpoint : {};
  const config: RouteConfig = { name, auth, permission, stepUp, scope, charges, processes };
  return { method: routes[name].method, url: routes[name].path, schema: given, config };
}

/** Returns the properties of the endpoint that a request is for, or undefined for static files and unknown URLs. */
export const routeOf = (request: FastifyRequest): RouteConfig | undefined => {
  const config = request.routeOptions.config as Partial<RouteConfig>;
  return config.auth && (config as RouteConfig);
};

export type Handler<Name extends RouteName> = RouteHandlerMethod<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  ContextConfigDefault,
  ReturnType<typeof contract<Name>>['schema'],
  ZodTypeProvider,
  FastifyBaseLogger
>;

type RouteOptions = Pick<RouteShorthandOptions, 'bodyLimit' | 'exposeHeadRoute' | 'sse'>;

export type Handlers<Names extends RouteName> = {
  [Name in Names]: Handler<Name> | ({ handler: Handler<Name> } & RouteOptions);
};

export type AnyHandler = Handlers<RouteName>[RouteName];

export const defineHandlers = <const Names extends RouteName>(handlers: Handlers<Names>): Handlers<Names> => handlers;
