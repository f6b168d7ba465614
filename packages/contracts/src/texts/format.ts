// Formatters for user-visible text in American English.
const locale = 'en-US';
const countFormat = new Intl.NumberFormat(locale);
const oneDecimalFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const twoDecimalsFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false });
const twoDigitsFormat = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2, useGrouping: false });
const conjunctionFormat = new Intl.ListFormat(locale);
const disjunctionFormat = new Intl.ListFormat(locale, { type: 'disjunction' });
const utcDayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a number: 1234567 -> `1,234,567`. */
export const formatCount = (n: number): string => countFormat.format(n);

/** Formats a count with its noun: `1 image`, `1,000 images`. `plural`: only for nouns that don't just add an "s". */
export const pluralize = (n: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(n)} ${n === 1 ? noun : plural}`;

/** Formats a percentage: `50%`, `12.5%`. */
export const formatPercent = (percent: number): string => `${oneDecimalFormat.format(percent)}%`;

/** Formats a list: `PNG, JPEG, and WebP`. */
export const formatList = (items: Iterable<string>): string => conjunctionFormat.format(items);

/** Formats a list of alternatives: `PNG, JPEG, or WebP`. */
export const formatAlternatives = (items: Iterable<string>): string => disjunctionFormat.format(items);

/** `amount`: in cents. `currency`: ISO 4217 code. */
type Money = { amount: number; currency: string };

const formatInCurrency = ({ amount, currency }: Money, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, ...options }).format(amount / 100);

/** Formats an amount that is billed, paid, or refunded: `$7.00`, `-$1.50`. */
export const formatMoney = (money: Money): string => formatInCurrency(money, {});

/**
 * Formats the price of something for sale. `price` is in major units, such as dollars. Whole amounts are shown without
 * cents: `$7`, `$7.50`.
 */
export const formatPrice = (price: number, currency = 'usd'): string =>
  formatInCurrency({ amount: price * 100, currency }, { trailingZeroDisplay: 'stripIfInteger' });

const byteUnits = ['Bytes', 'KB', 'MB', 'GB'];

/** Returns the index in `byteUnits` of the largest unit that isn't larger than the given number of bytes. */
const bytePower = (bytes: number) =>
  bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), byteUnits.length - 1);

/** A value that rounds to `limit` or more is shown as 1 of the next unit. */
function formatInByteUnit(bytes: number, digits: Intl.NumberFormat, limit: number): string {
  const power = bytePower(bytes);
  const number = digits.format(bytes / 1024 ** power);
  return Number(number) >= limit && power < byteUnits.length - 1
    ? `1 ${byteUnits[power + 1]}`
    : `${number} ${byteUnits[power]}`;
}

/** Formats bytes with at most two decimals: `1.2 MB`, `0 Bytes`. 1 KB is 1,024 bytes. */
export const formatBytes = (bytes: number): string => formatInByteUnit(bytes, twoDecimalsFormat, 1_024);

/** Formats an estimated size in bytes with two significant digits: `about 810 KB`, `about 1.2 MB`. */
export const formatApproximateBytes = (bytes: number): string =>
  `about ${formatInByteUnit(bytes, twoDigitsFormat, 1_000)}`;

const minutesThresholdS = 90;

/**
 * Formats a processing time, given in seconds: `45 seconds`. Times of 90 seconds or more are shown in minutes, rounded
 * up to a tenth: `5 minutes`.
 */
export const formatSeconds = (seconds: number): string =>
  seconds < minutesThresholdS ? pluralize(seconds, 'second') : pluralize(Math.ceil(seconds / 6) / 10, 'minute');

/**
 * Formats a processing time that exceeds a limit. Both are given in seconds. Rounds to whole minutes only if the
 * rounded time still exceeds the limit: `18 minutes`, but `5.2 minutes` for a limit of 5 minutes.
 */
export function formatSecondsAbove(seconds: number, limit: number): string {
  const minutes = Math.round(seconds / 60);
  const staysAbove = seconds >= minutesThresholdS && 60 * minutes > limit;
  return staysAbove ? pluralize(minutes, 'minute') : formatSeconds(seconds);
}

/** Formats the day of a date in UTC: `Nov 5, 2026`. */
export const formatDay = (date: Date | string): string => utcDayFormat.format(new Date(date));

/** Formats a waiting time, given in seconds. Rounds up: `in 5 seconds`, `in 15 minutes`, `in 2 hours`. */
export function formatWait(seconds: number): string {
  if (seconds < 60) return `in ${pluralize(Math.max(1, Math.ceil(seconds)), 'second')}`;
  if (seconds < 3_600) return `in ${pluralize(Math.ceil(seconds / 60), 'minute')}`;
  return `in ${pluralize(Math.ceil(seconds / 3_600), 'hour')}`;
}
