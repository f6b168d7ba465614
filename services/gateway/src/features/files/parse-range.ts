/**
 * One byte range of a Range header, as storage takes it; it may begin past the end. Undefined, so that the whole file is
 * sent (RFC 9110, 14.2): no range, several, or one that cannot be read.
 */
export function parseRange(header: string | undefined, sizeBytes: number): { start: number; end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, from = '', to = ''] = match;
  const last = sizeBytes - 1;
  if (from === '') return { start: Math.max(0, sizeBytes - Number(to)), end: last };
  if (to !== '' && Number(to) < Number(from)) return undefined;
  return { start: Number(from), end: to === '' ? last : Math.min(Number(to), last) };
}
