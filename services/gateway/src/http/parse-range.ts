/** One byte range of a Range header, as storage takes it; undefined for none, several, or one it cannot read. */
export function parseRange(header: string | undefined, sizeBytes: number): { start: number; end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, from = '', to = ''] = match;
  const last = sizeBytes - 1;
  if (from === '') return { start: Math.max(0, sizeBytes - Number(to)), end: last };
  return { start: Number(from), end: to === '' ? last : Math.min(Number(to), last) };
}
