import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';

type Row = { method: string; pattern: RegExp };
const rows: Row[] = Object.values(v1Routes).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
}));

/** The methods that an address of the public API takes; none: there is nothing. */
export function methodsAt(url: string): string[] {
  const path = url.split(/[?#]/)[0] ?? '';
  return rows.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}
