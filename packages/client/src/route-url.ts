import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';

/** Path and query string of a call. `:name` parts are filled from `params`; undefined query values are left out. */
export function routeUrl(
  name: RouteName,
  { params = {}, query = {} }: { params?: object; query?: object } = {},
): string {
  const given = new Map(Object.entries(params));
  const path = routes[name].path.replace(/:(\w+)/g, (_, key: string) => {
    const value: unknown = given.get(key);
    if (value === undefined) throw new TypeError(`The path of "${name}" needs "${key}"`);
    return encodeURIComponent(String(value));
  });
  const pairs: [string, string][] = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path;
}
