import { expect, it } from 'vitest';
import { describeChanges, formatChange } from './describe-changes.ts';
import { formatField } from './format-field.ts';

it.each([
  ['Locked until', '2026-11-29T15:21:26.463Z', 'Nov 29, 2026, 3:21 PM UTC'],
  ['Effective on', '2026-12-15', 'Dec 15, 2026'],
  ['Size', '618927', '604.42 KB'],
  ['Refunded', '1900', '$19.00'],
  ['Amount', '1900', '$19.00'],
  ['Credit type', 'ai', 'AI images'],
  ['Invitation role', 'viewer', 'Viewer'],
  ['Coupon plans', 'pro, api_basic', 'Pro, API Basic'],
  ['Status', 'past_due', 'Past due'],
  ['Format', 'csv', 'CSV'],
  ['Sorted by', '-created', 'Created, descending'],
  ['List', 'api keys', 'API keys'],
  ['Site name', 'active', 'active'],
  ['Size', 'None', 'None'],
])('writes %s %s as %s', (field, text, written) => {
  expect(formatField(field, text)).toBe(written);
});

const describeAll = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  describeChanges({ before, after }).map((change) => formatChange(change));

it('calls credits as the screens do, and leaves out the ID of an invitation that is gone', () => {
  expect(describeAll({ grant: null }, { grant: { units: 60, meter: 'ai' } })).toEqual([
    'Credits: 60',
    'Credit type: AI images',
  ]);
  const id = '01a227e2-0000-7000-8000-000000000000';
  expect(describeAll({ invitation: id, role: null }, { invitation: null, role: 'viewer' })).toEqual([
    'Role: None -> Viewer',
  ]);
});
