const anyOrigin = 'https://site.invalid';

/**
 * Where to go after signing in: `next` when it is a path of this site, else `/`. Refused are other origins in any
 * spelling (`//host`, `/\host`, tabs inside) and addresses that are no page (`/api`, `/v1`, `/auth` itself).
 */
export function nextPath(next: string | null): string {
  if (!next?.startsWith('/') || !URL.canParse(next, anyOrigin)) return '/';
  const { origin, pathname, search, hash } = new URL(next, anyOrigin);
  if (origin !== anyOrigin || pathname.startsWith('//') || /^\/(api|v1|auth)(\/|$)/.test(pathname)) return '/';
  return pathname + search + hash;
}
