import { makePlanCards } from '@uprez/contracts/policy/plan-cards';
import { describe, expect, it } from 'vitest';
import { findExceededQuota, largerPlan, type Quota, quotaNotes, quotaText } from './quota-text.ts';

const quota: Quota = {
  meter: 'ai',
  included: 1_000,
  granted: 0,
  used: 37,
  left: 963,
  resetsAt: '2026-12-01T00:00:00.000Z',
};
const hard = { quota: [quota], forecast: [], hardStop: true };

it('says how much of a meter is used', () => {
  expect(quotaText({ ...quota, granted: 200 })).toBe('37 of 1,200');
});

describe('below a meter', () => {
  it('names the day of the reset as the server does, in every time zone', () => {
    expect(quotaNotes(quota, hard)).toEqual(['Resets Dec 1, 2026.']);
  });

  it('says what was granted and when the units end at this pace, for this meter only', () => {
    const forecast = [{ meter: 'ai', endsAt: '2026-11-12T08:00:00.000Z' } as const];
    expect(quotaNotes({ ...quota, granted: 20 }, { ...hard, forecast })).toEqual([
      'Resets Dec 1, 2026.',
      'Includes 20 granted in addition to your plan.',
      "At this rate, you'll reach your limit around Nov 12.",
    ]);
    expect(quotaNotes({ ...quota, meter: 'standard' }, { ...hard, forecast })).toHaveLength(1);
  });

  it('says that processing pauses, or how far it went beyond the plan', () => {
    expect(quotaNotes({ ...quota, used: 1_000, left: 0 }, hard)).toEqual(['Processing pauses until Dec 1, 2026.']);
    expect(quotaNotes({ ...quota, used: 1_003, left: 0 }, { ...hard, hardStop: false })).toEqual([
      'Resets Dec 1, 2026.',
      '3 over your quota. Processing continues.',
    ]);
  });
});

it('says which kind is used up where another goes on', () => {
  const ai = { ...quota, used: 1_000, left: 0 };
  const standard = { ...quota, meter: 'standard' as const };
  const all = [ai, standard];
  expect(quotaNotes(ai, { ...hard, quota: all })).toEqual([
    'AI images are paused until Dec 1, 2026. Standard images are still available.',
  ]);
  expect(quotaNotes(standard, { ...hard, quota: all })).toEqual(['Resets Dec 1, 2026.']);
  expect(quotaNotes(ai, { ...hard, quota: [ai, { ...standard, left: 0 }] })).toEqual([
    'Processing pauses until Dec 1, 2026.',
  ]);
});

it('finds the meter that has too little, until it is new', () => {
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

it('names the smallest plan with more of a meter, and its price', () => {
  const cards = makePlanCards();
  expect(largerPlan(cards, { ...quota, included: 10 })).toBe('Pro includes 100 AI images per month for $7.');
  expect(largerPlan(cards, { ...quota, meter: 'shared', included: 1_000 })).toBe(
    'API Pro includes 5,000 images per month for $49.',
  );
  expect(largerPlan(cards, { ...quota, meter: 'shared', included: 25_000 })).toBeUndefined();
});
