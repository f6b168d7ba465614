import { expect, it } from 'vitest';
import {
  formatAlternatives,
  formatApproximateBytes,
  formatBytes,
  formatDay,
  formatList,
  formatMoney,
  formatPercent,
  formatPrice,
  formatSeconds,
  formatSecondsAbove,
  formatWait,
  pluralize,
} from './format.ts';

it.each([
  [0, '0 images'],
  [1, '1 image'],
  [1_000, '1,000 images'],
])('pluralize(%d, image) returns %s', (n, text) => expect(pluralize(n, 'image')).toBe(text));

it('pluralize uses an irregular plural', () => {
  expect(pluralize(2, 'patch', 'patches')).toBe('2 patches');
});

it('formatPercent puts no space before the sign', () => {
  expect([50, 12.54].map(formatPercent)).toEqual(['50%', '12.5%']);
});

it('formatList and formatAlternatives put a comma before the last of three', () => {
  expect(formatList(['PNG', 'JPEG', 'WebP'])).toBe('PNG, JPEG, and WebP');
  expect(formatAlternatives(['PNG', 'JPEG', 'WebP'])).toBe('PNG, JPEG, or WebP');
});

it.each([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1023, '1023 Bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1_048_560, '1023.98 KB'],
  [1_048_573, '1 MB'],
  [1_048_576, '1 MB'],
  [1_258_291, '1.2 MB'],
  [1_073_741_823, '1 GB'],
  [52_428_800, '50 MB'],
  [1_234_567_890, '1.15 GB'],
  [5e12, '4656.61 GB'],
])('formatBytes(%d) returns %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

it.each([
  [812.97 * 1_024, 'about 810 KB'],
  [20 * 1_024, 'about 20 KB'],
  [1.16 * 1_024 ** 2, 'about 1.2 MB'],
  [0, 'about 0 Bytes'],
  [994, 'about 990 Bytes'],
  [995, 'about 1 KB'],
  [1_023, 'about 1 KB'],
  [1_024, 'about 1 KB'],
  [994 * 1_024, 'about 990 KB'],
  [995 * 1_024, 'about 1 MB'],
  [1_019 * 1_024, 'about 1 MB'],
  [1_024 ** 2 - 1, 'about 1 MB'],
  [994 * 1_024 ** 2, 'about 990 MB'],
  [995 * 1_024 ** 2, 'about 1 GB'],
  [1_024 ** 3, 'about 1 GB'],
  [1_500 * 1_024 ** 3, 'about 1500 GB'],
  [312, 'about 310 Bytes'],
])('formatApproximateBytes(%d) returns %s', (bytes, text) => expect(formatApproximateBytes(bytes)).toBe(text));

it('formatApproximateBytes never returns more than three digits below GB, and never less for more bytes', () => {
  const units = ['Bytes', 'KB', 'MB', 'GB'];
  const read = (bytes: number) => {
    const [, digits = '', unit = ''] = formatApproximateBytes(bytes).split(' ');
    return { digits: Number(digits), value: Number(digits) * 1_024 ** units.indexOf(unit) };
  };
  let last = 0;
  for (let bytes = 1; bytes < 1_024 ** 4; bytes = Math.ceil(bytes * 1.001)) {
    const { digits, value } = read(bytes);
    if (bytes < 900 * 1_024 ** 3) expect(digits, String(bytes)).toBeLessThan(1_000);
    expect(value, String(bytes)).toBeGreaterThanOrEqual(last);
    expect(Math.abs(value / bytes - 1), String(bytes)).toBeLessThan(0.055);
    last = value;
  }
});

it('formatDay returns the same day in every time zone', () => {
  expect(formatDay('2026-11-05')).toBe('Nov 5, 2026');
});

it.each([
  [0, 'in 1 second'],
  [4.2, 'in 5 seconds'],
  [60, 'in 1 minute'],
  [855, 'in 15 minutes'],
  [3_600, 'in 1 hour'],
  [3_601, 'in 2 hours'],
])('formatWait(%d) returns %s', (seconds, text) => expect(formatWait(seconds)).toBe(text));

it.each([
  [1, '1 second'],
  [89, '89 seconds'],
  [90, '1.5 minutes'],
  [300, '5 minutes'],
  [3_600, '60 minutes'],
])('formatSeconds(%d) returns %s', (seconds, text) => expect(formatSeconds(seconds)).toBe(text));

it.each([
  [1_104, 300, '18 minutes'],
  [310, 300, '5.2 minutes'],
  [301, 300, '5.1 minutes'],
  [80, 60, '80 seconds'],
])('formatSecondsAbove(%d, %d) returns %s', (seconds, limit, text) =>
  expect(formatSecondsAbove(seconds, limit)).toBe(text),
);

it('formatMoney groups thousands and keeps cents', () => {
  expect([700, 123_456, -150, 0].map((amount) => formatMoney({ amount, currency: 'usd' }))).toEqual([
    '$7.00',
    '$1,234.56',
    '-$1.50',
    '$0.00',
  ]);
});

it('formatPrice leaves out the cents of whole amounts', () => {
  expect([7, 7.5, 1_900, 0].map((price) => formatPrice(price))).toEqual(['$7', '$7.50', '$1,900', '$0']);
});
