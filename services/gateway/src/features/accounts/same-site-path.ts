/** A path on this site to go on to after sign-in; `/` for anything that could lead elsewhere. */
export function sameSitePath(next: string | undefined): string {
  if (!next?.startsWith('/') || /^\/[/\\]/.test(next) || /[\\\s]/.test(next)) return '/';
  const base = 'http://same.invalid';
  return URL.canParse(next, base) && new URL(next, base).origin === base ? next : '/';
}
