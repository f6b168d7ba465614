import { type ApiRouteName, apiRoutes } from '@uprez/contracts/endpoints/routes-api';

/** Builds the path and query string of a request. Omits undefined query values. */
export function routeUrl(
  name: ApiRouteName,
  { params = {}, query = {} }: { params?: object; query?: object } = {},
): string {
  const given = new Map(Object.entries(params));
  const path = apiRoutes[name].path.replace(/:(\w+)/g, (_, key: string) => {
    const value: unknown = given.get(key);
    if (value === undefined) throw new TypeError(`Missing path parameter "${key}" of "${name}"`);
    return encodeURIComponent(String(value));
  });
  const pairs: [string, string][] = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path;
}
