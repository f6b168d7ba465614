import { cycleOf, type Period, periodOf } from '@uprez/domain/usage/period';
import { testSeed } from '@uprez/testing/random';
import fc from 'fast-check';
import { afterEach, describe, expect, it, test } from 'vitest';

const at = (text: string) => new Date(text);
const iso = ({ startsAt, endsAt }: Period) => [startsAt.toISOString(), endsAt.toISOString()];
const day = ({ startsAt, endsAt }: Period) => [startsAt, endsAt].map((time) => time.toISOString().slice(0, 10));

describe('a period without an anchor', () => {
  it.each([
    ['2026-11-01T00:00:00.000Z', ['2026-11-01', '2026-12-01']],
    ['2026-11-30T23:59:59.999Z', ['2026-11-01', '2026-12-01']],
    ['2026-12-31T23:59:59.999Z', ['2026-12-01', '2027-01-01']],
    ['2028-02-29T12:00:00.000Z', ['2028-02-01', '2028-03-01']],
  ])('at %s is the calendar month', (moment, days) => {
    expect(day(periodOf(undefined, at(moment)))).toEqual(days);
    expect(iso(periodOf(undefined, at(moment)))[0]).toMatch(/T00:00:00\.000Z$/);
  });
});

it('has one cycle in a paid month, wherever the anchor is', () => {
  const days = Array.from({ length: 60 }, (_, day) => day + 1);
  for (const day of days) {
    const start = new Date(Date.UTC(2027, 0, day, 10));
    const paid = periodOf(start, start);
    const last = new Date(Number(paid.endsAt) - 1);
    const cycles = days.map((anchor) => cycleOf(new Date(Date.UTC(2027, 0, anchor)), paid, last));
    expect(cycles).toEqual(days.map(() => ({ ...paid, cycle: 0 })));
  }
});

describe('a billing cycle', () => {
  it('starts on the day of its anchor, or the last day of a shorter month', () => {
    const anchor = at('2027-01-31T15:30:00.000Z');
    const starts = Array.from({ length: 15 }, (_, n) => periodOf(anchor, new Date(Date.UTC(2027, n + 1, 20))));
    expect(starts.map((period) => day(period)[0])).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
      '2027-07-31',
      '2027-08-31',
      '2027-09-30',
      '2027-10-31',
      '2027-11-30',
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
    ]);
    for (const period of starts) expect(iso(period)[0]).toMatch(/T15:30:00\.000Z$/);
  });

  it('ends to the millisecond', () => {
    const anchor = at('2026-11-21T10:06:40.123Z');
    expect(day(periodOf(anchor, at('2026-12-21T10:06:40.122Z')))).toEqual(['2026-11-21', '2026-12-21']);
    expect(day(periodOf(anchor, at('2026-12-21T10:06:40.123Z')))).toEqual(['2026-12-21', '2027-01-21']);
  });

  it('starts on February 29 in leap years and otherwise on February 28', () => {
    const anchor = at('2028-02-29T00:00:00.000Z');
    expect(day(periodOf(anchor, at('2029-03-01T00:00:00.000Z')))).toEqual(['2029-02-28', '2029-03-29']);
    expect(day(periodOf(anchor, at('2032-03-01T00:00:00.000Z')))).toEqual(['2032-02-29', '2032-03-29']);
  });

  it('is the first one at a time before its anchor', () => {
    const anchor = at('2026-11-21T10:00:00.000Z');
    expect(day(periodOf(anchor, at('2020-01-01T00:00:00.000Z')))).toEqual(['2026-11-21', '2026-12-21']);
  });
});

describe('any period', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  const bounds = { noInvalidDate: true, min: at('2020-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z') };
  const moments = fc.date(bounds);
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Australia/Lord_Howe');

  test('contains its time, adjoins the next one, and lasts a month, in every time zone', () => {
    fc.assert(
      fc.property(fc.option(moments, { nil: undefined }), moments, zones, (anchor, moment, tz) => {
        process.env.TZ = 'UTC';
        const inUtc = iso(periodOf(anchor, moment));
        process.env.TZ = tz;
        const period = periodOf(anchor, moment);
        expect(iso(period)).toEqual(inUtc);
        if (anchor && moment < anchor) expect(period.startsAt).toEqual(anchor);
        else expect(period.startsAt <= moment && moment < period.endsAt).toBe(true);
        expect(periodOf(anchor, period.endsAt).startsAt).toEqual(period.endsAt);
        expect(periodOf(anchor, new Date(Number(period.endsAt) - 1))).toEqual(period);
        expect((Number(period.endsAt) - Number(period.startsAt)) / 86_400_000).toSatisfy((d) => d >= 28 && d <= 31);
      }),
      { seed: testSeed, numRuns: 2_000 },
    );
  });

  test('within 13 months, queried in any order, is one of at most 14', () => {
    fc.assert(
      fc.property(
        fc.option(moments, { nil: undefined }),
        moments,
        fc.infiniteStream(fc.nat(1_000)),
        (anchor, from, r) => {
          const end = new Date(from);
          end.setUTCMonth(end.getUTCMonth() + 13, 1);
          const start = anchor && anchor > from ? anchor : from;
          const looks = [...r.take(200)].map(
            (n) => new Date(Number(start) + (n / 1_000) * Math.max(0, Number(end) - Number(start))),
          );
          const periods = new Map(
            looks.map((look) => periodOf(anchor, look)).map((p) => [p.startsAt.toISOString(), p]),
          );
          const sorted = [...periods.values()].sort((a, b) => Number(a.startsAt) - Number(b.startsAt));
          for (const [i, period] of sorted.entries())
            if (i > 0) expect(Number(period.startsAt)).toBeGreaterThanOrEqual(Number(sorted[i - 1]?.endsAt));
          expect(periods.size).toBeLessThanOrEqual(14);
        },
      ),
      { seed: testSeed, numRuns: 200 },
    );
  });
});

describe('the cycles of a time that is paid', () => {
  const cycles = (anchor: Date, paid: Period) => {
    const found = [cycleOf(anchor, paid, paid.startsAt)];
    for (let last = found.at(-1); last && last.endsAt < paid.endsAt; last = found.at(-1))
      found.push(cycleOf(anchor, paid, last.endsAt));
    return found;
  };

  it('are months of the anchor', () => {
    const paid = { startsAt: at('2027-01-31T12:00:00Z'), endsAt: at('2028-01-31T12:00:00Z') };
    const days = cycles(paid.startsAt, paid).map(day);
    expect(days).toHaveLength(12);
    expect(days.slice(0, 3)).toEqual([
      ['2027-01-31', '2027-02-28'],
      ['2027-02-28', '2027-03-31'],
      ['2027-03-31', '2027-04-30'],
    ]);
  });

  it('are 12 in a year and 1 in a month, also if all times were moved by any number of days', () => {
    const moved = (time: Date, days: number) => new Date(Number(time) - days * 86_400_000);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: 1_500 }), (start, days) => {
        const anchor = moved(at('2028-12-31T00:00:00Z'), start);
        const year = periodOf(anchor, anchor).startsAt;
        const end = new Date(anchor);
        end.setUTCFullYear(end.getUTCFullYear() + 1);
        const count = (until: Date) =>
          cycles(moved(anchor, days), { startsAt: moved(year, days), endsAt: moved(until, days) }).map(
            ({ cycle }) => cycle,
          );
        expect(count(end)).toEqual(Array.from({ length: 12 }, (_, cycle) => cycle));
        expect(count(periodOf(anchor, anchor).endsAt)).toEqual([0]);
      }),
      { seed: testSeed },
    );
  });
});
