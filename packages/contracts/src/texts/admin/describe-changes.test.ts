import { expect, it } from 'vitest';
import { describeChanges, formatChange, formatField } from './describe-changes.ts';

const describeAll = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  describeChanges({ before, after }).map((change) => formatChange(change));

it('describes fields in words, and empty values', () => {
  expect(
    describeAll(
      { subscriptionTier: 'free', suspended: false, suspendedReason: null, siteName: 'Images' },
      { subscriptionTier: 'pro', suspended: true, suspendedReason: 'spam', siteName: '' },
    ),
  ).toEqual([
    'Plan: Free -> Pro',
    'Suspended: No -> Yes',
    'Suspended reason: None -> spam',
    'Site name: Images -> Empty',
  ]);
});

it('writes abbreviations as the screens do', () => {
  const after = {
    smtpHost: 'mail.example',
    siteUrl: 'x',
    ogTitle: 'y',
    googleAnalyticsId: 'z',
    yearly: { api_pro: 9 },
  };
  expect(describeChanges({ before: {}, after }).map(({ field }) => field)).toEqual([
    'SMTP host',
    'Site URL',
    'Open Graph title',
    'Google analytics ID',
    'Yearly API pro',
  ]);
});

it('describes objects and lists field by field, and only what differs', () => {
  const pack = { key: 'small', units: 50 };
  expect(
    describeAll(
      { yearly: { pro: null, enterprise: 9 }, packs: [pack], allowedOrigins: [] },
      { yearly: { pro: 7_000, enterprise: 9 }, packs: [{ ...pack, units: 60 }], allowedOrigins: ['a', 'b'] },
    ),
  ).toEqual(['Yearly pro: None -> $70.00', 'Packs 1 units: 50 -> 60', 'Allowed origins: None -> a, b']);
});

it('describes what was created or removed without the empty object', () => {
  expect(describeAll({ grant: null }, { grant: { units: 5 } })).toEqual(['Credits: 5']);
  expect(describeAll({ invitation: { role: 'viewer' } }, { invitation: null })).toEqual([
    'Invitation role: Viewer -> None',
  ]);
});

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
