import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bill, type News, openCalendar } from './open-calendar.ts';

const world = fileFixture(openCalendar);
/** The units that the tests use belong to no job. */
afterEach(async () => {
  const errors = await listAllowanceErrors(world.db);
  expect(errors.filter(({ subject }) => subject.startsWith('allowance'))).toEqual([]);
});

const time = 'T08:30:00Z';
const later = (moment: string, hours: number) => new Date(Date.parse(moment) + hours * 3_600_000).toISOString();

type Period = Pick<Bill, 'tier' | 'interval'> & { days: readonly string[] };

/** The bills of a subscription from day to day: each is a draft for an hour, then paid. The first one is paid at once. */
function renewals({ tier, interval = 'month', days }: Period, reason: Bill['reason'] = 'subscription_create'): News[] {
  return days.slice(0, -1).flatMap((day, number): News[] => {
    const bill = { tier, interval, from: day + time, until: days[number + 1] + time };
    if (number === 0) return [{ at: day + time, bill: { ...bill, status: 'paid', reason } }];
    return [
      { at: later(day + time, 0.1), bill: { ...bill, status: 'draft' } },
      { at: later(day + time, 1), bill: { ...bill, status: 'paid' } },
    ];
  });
}

/** The units that paid plans gave for AI images: tier, day, and units, in the order of time. */
async function listUnits(accountId: string) {
  const rows = await world.db
    .selectFrom('allowances')
    .select(['tier', 'startsAt', 'units'])
    .where('accountId', '=', accountId)
    .where('tier', '<>', 'free')
    .where('meter', 'in', ['ai', 'shared'])
    .orderBy('startsAt')
    .execute();
  return rows.map(({ tier, startsAt, units }) => `${tier} ${startsAt.toISOString().slice(0, 10)} ${units}`);
}
const live = async (news: News[], until: string) => listUnits(await world.live(news, until + time));
const given = (tier: Tier, units: number, days: readonly string[]) => days.map((day) => `${tier} ${day} ${units}`);

const january31 = [
  ...['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30', '2027-07-31'],
  ...['2027-08-31', '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29'],
];
const february29 = [
  ...['2028-02-29', '2028-03-29', '2028-04-29', '2028-05-29', '2028-06-29', '2028-07-29', '2028-08-29'],
  ...['2028-09-29', '2028-10-29', '2028-11-29', '2028-12-29', '2029-01-29', '2029-02-28', '2029-03-29'],
];
const starts = [
  ['January 31', january31],
  ['February 29', february29],
] as const;

describe('M12: over 13 months', () => {
  it.each(starts)('a monthly plan from %s gives the units of each period once', async (_day, days) => {
    const months = days.slice(0, -1);
    expect(await live(renewals({ tier: 'pro', days }), days[13] ?? '')).toEqual(given('pro', 100, months));
  });

  it.each(starts)('a yearly plan from %s gives the units of each month once', async (_day, days) => {
    const [first = '', last = ''] = [days[0], days[12]];
    const years = [first, last, `${Number(last.slice(0, 4)) + 1}${last.slice(4)}`];
    const news = renewals({ tier: 'pro', interval: 'year', days: years });
    expect(await live(news, days[13] ?? '')).toEqual(given('pro', 100, days.slice(0, -1)));
  });
});

describe('M12: a plan from January 31', () => {
  it('that is upgraded gives the units of both plans, and follows its new cycle', async () => {
    const days = ['2027-03-10', '2027-04-10', '2027-05-10', '2027-06-10'];
    const [change, ...others] = renewals({ tier: 'api_basic', days }, 'subscription_update');
    const upgrade = change && { ...change, anchor: days[0] + time };
    const news = [...renewals({ tier: 'pro', days: january31.slice(0, 3) }), ...(upgrade ? [upgrade] : []), ...others];
    expect(await live(news, '2027-06-09')).toEqual([
      ...given('pro', 100, january31.slice(0, 2)),
      ...given('api_basic', 1_000, days.slice(0, -1)),
    ]);
  });

  it('that is downgraded at the end of a period keeps its cycle', async () => {
    const days = january31;
    const [, ...lower] = renewals({ tier: 'pro', days: days.slice(1, 6) });
    const scheduled: News = { at: days[1] + time, next: { tier: 'pro', at: days[2] + time } };
    const upper = renewals({ tier: 'api_basic', days: days.slice(0, 3) });
    const [changed, ...others] = lower;
    const news = [...upper, scheduled, ...(changed ? [{ ...changed, next: null }] : []), ...others];
    expect(await live(news, '2027-06-29')).toEqual([
      ...given('api_basic', 1_000, days.slice(0, 2)),
      ...given('pro', 100, days.slice(2, 5)),
    ]);
  });

  it('that is paused for two months gives nothing in them', async () => {
    const [first, second, third, fourth, fifth] = january31.map((day) => day + time);
    if (!first || !second || !third || !fourth || !fifth) throw new Error('a day is missing');
    const bill = { tier: 'pro', reason: 'subscription_cycle' } as const;
    const news: News[] = [
      { at: first, bill: { ...bill, from: first, until: second, status: 'paid', reason: 'subscription_create' } },
      { at: later(first, 24), isPaused: true },
      { at: later(second, 0.1), bill: { ...bill, from: second, until: third, status: 'void' } },
      { at: later(third, 0.1), bill: { ...bill, from: third, until: fourth, status: 'void' } },
      { at: later(fourth, -1), isPaused: false },
      { at: later(fourth, 0.1), bill: { ...bill, from: fourth, until: fifth, status: 'draft' } },
      { at: later(fourth, 1), bill: { ...bill, from: fourth, until: fifth, status: 'paid' } },
    ];
    expect(await live(news, '2027-05-30')).toEqual(given('pro', 100, ['2027-01-31', '2027-04-30']));
  });
});

describe('M12: a renewal on February 28 that fails', () => {
  const [first, second, third] = january31.map((day) => day + time);
  const failed = (): News[] => {
    if (!first || !second || !third) throw new Error('a day is missing');
    const bill = { tier: 'pro', from: second, until: third } as const;
    return [
      { at: first, bill: { tier: 'pro', from: first, until: second, status: 'paid', reason: 'subscription_create' } },
      { at: later(second, 0.1), bill: { ...bill, status: 'draft' } },
      { at: later(second, 1), status: 'past_due', bill: { ...bill, status: 'open' } },
    ];
  };
  const bill = { tier: 'pro', from: second ?? '', until: third ?? '' } as const;

  it('gives a quarter of the units, and nothing after the plan ended', async () => {
    const end: News = { at: later(bill.from, 8 * 24), status: 'canceled', bill: { ...bill, status: 'void' } };
    expect(await live([...failed(), end], '2027-04-30')).toEqual(['pro 2027-01-31 100', 'pro 2027-02-28 25']);
  });

  it('gives the other units once it is paid on day 5, and the next period as usual', async () => {
    const paid: News = { at: later(bill.from, 5 * 24), status: 'active', bill: { ...bill, status: 'paid' } };
    const [, ...others] = renewals({ tier: 'pro', days: january31.slice(1, 4) });
    expect(await live([...failed(), paid, ...others], '2027-04-29')).toEqual(given('pro', 100, january31.slice(0, 3)));
  });

  it('gives the other units when it is paid after the days of grace, before it is canceled', async () => {
    const paid: News = { at: later(bill.from, 9 * 24), status: 'active', bill: { ...bill, status: 'paid' } };
    expect(await live([...failed(), paid], '2027-03-30')).toEqual(given('pro', 100, january31.slice(0, 2)));
  });
});
