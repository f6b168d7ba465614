const placeholderOrigin = 'https://site.invalid';

/**
 * Returns the page to open after signing in or confirming an email address: `next` if it is a path of this site, else
 * `/`. Rejects other origins in any notation (`//host`, `/\host`, tabs inside) and paths that aren't pages (`/api`,
 * `/v1`, `/auth`).
 */
export function toNextPath(next: string | null | undefined): string {
  if (!next?.startsWith('/') || !URL.canParse(next, placeholderOrigin)) return '/';
  const { origin, pathname, search, hash } = new URL(next, placeholderOrigin);
  if (origin !== placeholderOrigin || pathname.startsWith('//') || /^\/(api|v1|auth)(\/|$)/.test(pathname)) return '/';
  return pathname + search + hash;
}
