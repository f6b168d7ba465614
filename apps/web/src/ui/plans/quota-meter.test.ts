import { makePlanCards } from '@uprez/contracts/policy/plans/plan-cards';
import { describe, expect, it } from 'vitest';
import { describeLargerPlan, findExceededQuota, listQuotaNotes, type Quota, quotaText } from './quota-meter.tsx';

const quota: Quota = {
  meter: 'ai',
  included: 1_000,
  granted: 0,
  used: 37,
  left: 963,
  resetsAt: '2026-12-01T00:00:00.000Z',
};
const hard = { quota: [quota], forecast: [], hardStop: true };

it('shows used and total units', () => {
  expect(quotaText({ ...quota, granted: 200 })).toBe('37 of 1,200');
});

describe('listQuotaNotes', () => {
  it('shows the reset date in UTC in every time zone', () => {
    expect(listQuotaNotes(quota, hard)).toEqual(['Resets on Dec 1, 2026.']);
  });

  it('shows granted units and the forecast of the meter', () => {
    const forecast = [{ meter: 'ai', endsAt: '2026-11-12T08:00:00.000Z' } as const];
    expect(listQuotaNotes({ ...quota, granted: 20 }, { ...hard, forecast })).toEqual([
      'Resets on Dec 1, 2026.',
      'Includes 20 AI images added to your plan.',
      "At this rate, you'll reach your limit around Nov 12.",
    ]);
    expect(listQuotaNotes({ ...quota, meter: 'standard' }, { ...hard, forecast })).toHaveLength(1);
  });

  it('shows no reset date for images that were only added', () => {
    const added: Quota = { ...quota, meter: 'shared', included: 0, granted: 25, used: 0, left: 25 };
    expect(listQuotaNotes(added, { ...hard, quota: [quota, added] })).toEqual([
      'Includes 25 images added to your plan.',
    ]);
  });

  it('shows that processing pauses, or the units over the quota', () => {
    expect(listQuotaNotes({ ...quota, used: 1_000, left: 0 }, hard)).toEqual([
      'Processing is paused until Dec 1, 2026.',
    ]);
    expect(listQuotaNotes({ ...quota, used: 1_003, left: 0 }, { ...hard, hardStop: false })).toEqual([
      'Resets on Dec 1, 2026.',
      '3 AI images over your quota. Processing continues.',
    ]);
  });
});

it('shows which meter is used up while another has units left', () => {
  const ai = { ...quota, used: 1_000, left: 0 };
  const standard = { ...quota, meter: 'standard' as const };
  const all = [ai, standard];
  expect(listQuotaNotes(ai, { ...hard, quota: all })).toEqual([
    'AI images have run out. They reset on Dec 1, 2026. Standard images are still available.',
  ]);
  expect(listQuotaNotes(standard, { ...hard, quota: all })).toEqual(['Resets on Dec 1, 2026.']);
  expect(listQuotaNotes(ai, { ...hard, quota: [ai, { ...standard, left: 0 }] })).toEqual([
    'Processing is paused until Dec 1, 2026.',
  ]);
});

it('returns the exceeded meter until it resets', () => {
  const ai = { ...quota, left: 0 };
  const standard = { ...quota, meter: 'standard' as const };
  const now = Date.parse('2026-11-30T23:59:59Z');
  const image = { meter: 'ai', units: 1 } as const;
  expect(findExceededQuota([ai, standard], image, now)).toEqual({ quota: ai, standardLeft: 963 });
  expect(findExceededQuota([ai], image, now)).toEqual({ quota: ai, standardLeft: 0 });
  expect(findExceededQuota([quota], image, now)).toBeUndefined();
  expect(findExceededQuota([ai, standard], { ...image, meter: 'standard' }, now)).toBeUndefined();
  expect(findExceededQuota([ai, standard], image, Date.parse(quota.resetsAt))).toBeUndefined();
  const shared = { ...quota, meter: 'shared' as const, left: 0 };
  expect(findExceededQuota([shared], { meter: 'shared', units: 1 }, now)).toEqual({ quota: shared, standardLeft: 0 });
});

it('returns the smallest plan with more units, and its price', () => {
  const cards = makePlanCards();
  expect(describeLargerPlan(cards, { ...quota, included: 10 })).toBe('Pro includes 100 AI images per month for $7.');
  expect(describeLargerPlan(cards, { ...quota, meter: 'shared', included: 1_000 })).toBe(
    'API Pro includes 5,000 images per month for $49.',
  );
  expect(describeLargerPlan(cards, { ...quota, meter: 'shared', included: 25_000 })).toBeUndefined();
});
