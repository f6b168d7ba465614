const locale = 'en-US';
const integer = new Intl.NumberFormat(locale);
const twoDecimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false });
const oneDecimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});
const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', year: 'numeric' });
const utcDay = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
const shortUtcDay = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

export type Size = { width: number; height: number };

/** 1234567 -> `1,234,567`. */
export const formatCount = (n: number) => integer.format(n);

/** US dollars: `$7`, `$7.50`. */
export const formatPrice = (amount: number) => dollars.format(amount);

/** `1,024 x 768`, pixels. */
export const formatSize = ({ width, height }: Size) => `${formatCount(width)} x ${formatCount(height)}`;

/** Bytes, KB, MB or GB of 1,024 each, two decimals at most: `1.2 MB`, `0 Bytes`. */
export function formatBytes(bytes: number): string {
  const units = ['Bytes', 'KB', 'MB', 'GB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${twoDecimals.format(bytes / 1024 ** power)} ${units[power]}`;
}

/** By how much a size changed: `+716 %`, `-12 %`, `same size`; what is left of a file is never nothing. */
export function formatChange(before: number, after: number): string {
  const percent = Math.max(-99, Math.round((after / before - 1) * 100));
  return percent === 0 ? 'same size' : `${percent > 0 ? '+' : '-'}${formatCount(Math.abs(percent))} %`;
}

/** `Nov 5, 2026`, the reader's time zone. */
export const formatDate = (date: Date | string) => day.format(new Date(date));

/** A day without a time, `2026-11-05` -> `Nov 5, 2026`, the same day in every time zone. */
export const formatDay = (isoDay: string) => utcDay.format(new Date(isoDay));

/** The same without its year: `Nov 5`. */
export const formatShortDay = (isoDay: string) => shortUtcDay.format(new Date(isoDay));

/** `Nov 5, 2026, 12:30 PM`, the reader's time zone. */
export const formatTime = (date: Date | string) => minute.format(new Date(date));

/** Measured time, milliseconds: `8 ms`, `0.3 s`, `4.1 s`, `2 min 10 s`. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 100) return `${Math.ceil(ms)} ms`;
  if (ms < 60_000) return `${oneDecimal.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Expected time, seconds, no finer than it is known: `about 1 s`, `about 20 s`, `about 3 min`. */
export function formatEstimate(seconds: number): string {
  if (seconds < 10) return `about ${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90) return `about ${Math.round(seconds / 5) * 5} s`;
  return `about ${formatCount(Math.round(seconds / 60))} min`;
}

/** Time from now until `until`, rounded down: `23 h`, `40 min`, `less than a minute`; undefined when it has passed. */
export function formatTimeLeft(until: string, now: number): string | undefined {
  const minutes = (new Date(until).getTime() - now) / 60_000;
  if (!(minutes > 0)) return undefined;
  if (minutes < 1) return 'less than a minute';
  return minutes < 60 ? `${Math.ceil(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
