import type { Endpoint } from '@uprez/contracts/endpoints/endpoint';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import type { KeyScope } from '@uprez/contracts/schemas/api-keys';

type EndpointOf<Name extends RouteName> = (typeof endpoints)[Name];
type SchemaAt<Row, Key extends string> = Row extends Record<Key, infer Schema> ? Schema : undefined;

/** What a route says of itself to the hooks that every request passes. */
export type RouteConfig = {
  name: RouteName;
  auth: Endpoint['auth'];
  scope?: KeyScope | undefined;
  charges: boolean;
};

/** A route's options from the contract: method, path, who may call, and the schemas that check what comes in and goes out. */
export function contract<Name extends RouteName>(name: Name) {
  const row: EndpointOf<Name> = endpoints[name];
  const part = <Key extends string>(key: Key) =>
    (key in row ? (row as Record<string, unknown>)[key] : undefined) as SchemaAt<EndpointOf<Name>, Key>;
  const schema = { body: part('body'), querystring: part('query'), params: part('params'), response: row.answers };
  const given = Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as typeof schema;
  const { auth, scope, charges = false }: Endpoint = row;
  const config: RouteConfig = { name, auth, scope, charges };
  return { method: routes[name].method, url: routes[name].path, schema: given, config };
}
