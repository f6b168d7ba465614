import type { Route } from '@uprez/contracts/endpoints/routes';

/**
 * Builds the path and query string of a request. Omits undefined query values. Throws TypeError if a path parameter is
 * missing.
 */
export function routeUrl(
  { path }: Route,
  { params = {}, query = {} }: { params?: object; query?: object } = {},
): string {
  const given = new Map(Object.entries(params));
  const pathname = path.replace(/:(\w+)/g, (_, key: string) => {
    const value: unknown = given.get(key);
    if (value === undefined) throw new TypeError(`Missing path parameter "${key}" of "${path}"`);
    return encodeURIComponent(String(value));
  });
  const pairs: [string, string][] = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return pairs.length > 0 ? `${pathname}?${new URLSearchParams(pairs)}` : pathname;
}
