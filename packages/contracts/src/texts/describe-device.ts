const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Browser and system of a User-Agent header by our own names for them: not a word of what the client said of itself. */
export function describeDevice(userAgent: string | null): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([sign]) => userAgent?.includes(sign))?.[1];
  const browser = find(browsers) ?? 'A program we do not know';
  const system = find(systems);
  return system ? `${browser} on ${system}` : browser;
}
