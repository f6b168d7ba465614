import { formatCount, formatPercent } from '@uprez/contracts/texts/format';

const locale = 'en-US';
const oneDecimalFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const signedFormat = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumFractionDigits: 1 });
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const shortUtcDayFormat = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const utcMonthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dateTimeFormat = new Intl.DateTimeFormat(locale, {
  ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  timeZoneName: 'short',
});

export type Size = { width: number; height: number };

/** Formats a number with its sign: `+10`, `-1`, `0`. */
export const formatSigned = (n: number) => signedFormat.format(n);

/** Formats a size in pixels: `1,024 x 768`. */
export const formatSize = ({ width, height }: Size) => `${formatCount(width)} x ${formatCount(height)}`;

/**
 * Formats the relative change of a file size: `+716%`, `-12%`, `same size`. Never below `-99%`, since files aren't
 * empty.
 */
export function formatSizeChange(before: number, after: number): string {
  const percent = Math.max(-99, Math.round((after / before - 1) * 100));
  return percent === 0 ? 'same size' : `${percent > 0 ? '+' : ''}${formatPercent(percent)}`;
}

/** Formats a date in the browser's time zone: `Nov 5, 2026`. */
export const formatDate = (date: Date | string) => dayFormat.format(new Date(date));

/** Formats the day of a date in UTC without the year: `Nov 5`. */
export const formatShortDay = (date: string) => shortUtcDayFormat.format(new Date(date));

/** Formats the month of a date in UTC: `November 2026`. */
export const formatMonth = (date: string) => utcMonthFormat.format(new Date(date));

/**
 * Formats a time in the browser's time zone: `Nov 5, 2026, 12:30 PM GMT+1`. The zone is named, because other times are
 * in UTC.
 */
export const formatDateTime = (date: Date | string) => dateTimeFormat.format(new Date(date));

/** Formats a measured time in milliseconds: `8 ms`, `0.3 s`, `4.1 s`, `2 min 10 s`. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 100) return `${Math.ceil(ms)} ms`;
  if (ms < 59_950) return `${oneDecimalFormat.format(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Formats a measured time for the status page, in milliseconds below one second so that times can be compared: `28 ms`,
 * `600 ms`, `1.2 s`.
 */
export const formatShortTime = (ms: number): string => (ms < 1_000 ? `${Math.ceil(ms)} ms` : formatDuration(ms));

function roundSeconds(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} s`;
  return `${formatCount(Math.round(seconds / 60))} min`;
}

/** Formats estimated seconds, rounded to the estimate's precision: `about 1 s`, `about 20 s`, `about 3 min`. */
export const formatEstimate = (seconds: number): string => `about ${roundSeconds(seconds)}`;

type TotalEstimate = {
  seconds: number;
  minSeconds?: number | null | undefined;
  waitSeconds?: number | null | undefined;
};

/** Share of the estimated time below which the shortest time makes it an upper limit. */
const upToShare = 0.8;

/**
 * Formats the estimated seconds from the click to the result, including the time in the queue: `about 20 s, including
 * about 5 s in the queue`. If the time depends on the detail of the image, formats the longest time: `up to 20 s`.
 */
export function formatTotalEstimate({ seconds, minSeconds, waitSeconds }: TotalEstimate): string {
  const isLimit = (minSeconds ?? seconds) < upToShare * seconds;
  const format = (total: number) => (isLimit ? `up to ${roundSeconds(total)}` : formatEstimate(total));
  if (!waitSeconds || waitSeconds < 1) return format(seconds);
  return `${format(seconds + waitSeconds)}, including ${formatEstimate(waitSeconds)} in the queue`;
}

/**
 * Formats the time from `now` until a date: `23 h`, `40 min`, `less than a minute`. Returns undefined if the date has
 * passed.
 */
export function formatTimeLeft(until: string, now: number): string | undefined {
  const minutes = (new Date(until).getTime() - now) / 60_000;
  if (!(minutes > 0)) return undefined;
  if (minutes < 1) return 'less than a minute';
  return minutes <= 59 ? `${Math.ceil(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
