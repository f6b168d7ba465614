import { routes } from '../generated/facts.ts';

export type RouteName = keyof typeof routes;
/** Query parameters or fields. `undefined` values are omitted. */
export type Query = Record<string, unknown>;

export function buildUrl(
  { baseUrl, prefix }: { baseUrl: string; prefix: string },
  route: RouteName,
  { params = {}, query = {} }: { params?: Record<string, string>; query?: Query },
): { method: string; url: URL } {
  const [method = '', path = ''] = routes[route].split(' ');
  const filled = path.replace(/^\/v1/, prefix).replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(baseUrl + filled);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, fieldText(value));
  return { method, url };
}

export const fieldText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/** The body types of `fetch` in Node.js. */
type BodySource = string | Uint8Array | Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/**
 * `open` is called for each attempt. `isOnce`: whether the body can be read only once. `sizeBytes`: length of a stream.
 * Not set for other bodies, because `fetch` sends their length itself, and undici rejects a second Content-Length
 * header.
 */
export type Body = {
  type: string;
  sizeBytes?: number;
  open: () => BodySource;
  isOnce?: boolean;
};

export const jsonBody = (value: unknown): Body => ({
  type: 'application/json',
  open: () => JSON.stringify(value),
});
