import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { readRevenue } from '@uprez/db/queries/billing/admin/revenue';
import { shiftDay } from '@uprez/db/times';
import { deleteDueAccounts } from '@uprez/domain/accounts/own-data/delete-account';
import { readAnalytics } from '@uprez/domain/analytics/read-analytics';
import { readReports } from '@uprez/domain/analytics/read-reports';
import { readTopAccounts, readUsage } from '@uprez/domain/analytics/read-usage';
import { rollUpAnalytics } from '@uprez/domain/analytics/roll-up-analytics';
import { makeRandom, testSeed } from '@uprez/testing/random';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Settings } from '../../src/context.ts';
import {
  insertAccount,
  insertEndedJobs,
  insertPayment,
  insertRefund,
  insertSubscription,
  type MadeUpJob,
} from './made-up-rows.ts';
import { type Calendar, openCalendar } from './open-calendar.ts';
import { scheduleDeletion } from './schedule-deletion.ts';

const [first, last, stepDays] = ['2025-11-01', '2026-11-30', 3];
const prices: Partial<Record<Tier, number>> = { pro: 700, api_basic: 900, api_pro: 2_900, enterprise: 19_900 };
const paid = Object.keys(prices) as Tier[];
const settings = { read: async () => ({ engineHourCosts }) } as unknown as Settings;
/** Cents per engine hour. */
const engineHourCosts = { photo: 250, standard: 40 };
const log = { info: () => {}, warn: () => {}, error: () => {} };

type Account = { id: string; subscription?: { id: string; tier: Tier; cents: number } };
/** What happened, as plain rows that nothing is deleted from. */
type Job = {
  day: string;
  engine: string;
  surface: 'web' | 'api';
  error: string | null;
  runMs: number;
  account: string;
};
const jobs: Job[] = [];
const signUps: { day: string; verified: boolean; account: string }[] = [];
const deletions: string[] = [];
const money: { day: string; received: number; refunded: number; tier: Tier }[] = [];
const payments: { id: string; day: string; left: number; tier: Tier; taxed: boolean }[] = [];
const mrr: { day: string; mrr: number; paying: number }[] = [];
let living: Account[] = [];
let calendar: Calendar;

const random = makeRandom(testSeed);
const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
const at = (day: string) => `${day}T0${random(10)}:30:00Z`;

async function addJobs(day: string): Promise<void> {
  const ended: MadeUpJob[] = [];
  for (const { id } of living) {
    if (random(3) > 0) continue;
    const error = random(8) === 0 ? pick(['corrupt_image', 'processing_timeout', 'cancelled']) : undefined;
    const job = { engine: pick(['photo', 'art-fast', 'standard']), surface: pick(['web', 'api'] as const) };
    const runMs = 100 + random(60_000);
    ended.push({ accountId: id, endedAt: at(day), ...job, runMs, ...(error && { error }) });
    jobs.push({ day, account: id, error: error ?? null, runMs, ...job });
  }
  await insertEndedJobs(calendar.db, ended);
}

/** A purchase, a change to another plan, a cancellation, a pause, or a return. */
async function changeSubscription(account: Account, day: string): Promise<void> {
  const { db } = calendar;
  const tier = pick(paid);
  const cents = prices[tier] ?? 0;
  const interval = random(4) === 0 ? ('year' as const) : ('month' as const);
  const amount = interval === 'year' ? 10 * cents : cents;
  const monthly = interval === 'year' ? amount / 12 : amount;
  const id = account.subscription?.id ?? `sub_${account.id}`;
  const isEnded = account.subscription !== undefined && account.subscription.cents > 0 && random(3) === 0;
  const isPaused = !isEnded && random(6) === 0;
  const status = isEnded ? 'canceled' : pick(['active', 'active', 'past_due']);
  const customerId = `cus_${account.id}`;
  await insertSubscription(db, { id, customerId, at: at(day), tier, amount, interval, isPaused, status });
  account.subscription = { id, tier, cents: isEnded || isPaused ? 0 : monthly };
  if (isEnded) return;
  const taxed = random(2) === 0;
  const paymentId = `pi_${payments.length}`;
  const total = taxed ? (amount * 11) / 10 : amount;
  // Plain sums by plan need the plan that was paid, which the line of the invoice has.
  const priceId = `price_${tier}`;
  const tax = total - amount;
  await insertPayment(db, { id: paymentId, customerId, subscriptionId: id, priceId, at: at(day), amount: total, tax });
  money.push({ day, received: amount, refunded: 0, tier });
  payments.push({ id: paymentId, day, left: total, tier, taxed });
}

async function refund(day: string): Promise<void> {
  const payment = pick(payments.filter(({ left }) => left > 1_000));
  if (!payment) return;
  const amount = 110;
  await insertRefund(calendar.db, { paymentId: payment.id, at: at(day), amount });
  payment.left -= amount;
  money.push({ day, received: 0, refunded: payment.taxed ? 100 : 110, tier: payment.tier });
}

async function removeAccount(day: string): Promise<void> {
  const account = pick(living);
  if (living.length < 6) return;
  await sql`update subscriptions set status = 'canceled' where id = ${`sub_${account.id}`}`.execute(calendar.db);
  await scheduleDeletion(calendar.db, account.id);
  expect(await deleteDueAccounts({ db: calendar.db, log })).toBe(1);
  living = living.filter((one) => one !== account);
  deletions.push(day);
}

beforeAll(async () => {
  calendar = await openCalendar();
  for (const [tier, amount] of Object.entries(prices))
    await sql`insert into prices (id, tier, interval, plan_version, amount, currency, lookup_key, active)
      values (${`price_${tier}`}, ${tier}, 'month', 1, ${amount}, 'usd', ${`key_${tier}`}, true)`.execute(calendar.db);
  for (let day = first; day <= last; day = shiftDay(day, stepDays)) {
    await calendar.setNow(`${day}T10:00:00Z`);
    for (let many = random(3); many > 0; many -= 1) {
      const verified = random(3) > 0;
      const id = await insertAccount(calendar.db, { at: at(day), verified });
      living.push({ id });
      signUps.push({ day, verified, account: id });
    }
    await addJobs(day);
    for (const account of living) if (random(9) === 0) await changeSubscription(account, day);
    if (random(2) === 0 && payments.length > 0) await refund(day);
    if (random(6) === 0) await removeAccount(day);
    // The dispatcher is away for days, in which accounts sign up, pay, change, and are deleted.
    const isAway = day > first && shiftDay(day, stepDays) <= last && random(3) > 0;
    if (isAway) continue;
    await rollUpAnalytics(calendar);
    const cents = living.map(({ subscription }) => subscription?.cents ?? 0);
    mrr.push({ day, mrr: cents.reduce((sum, n) => sum + n, 0), paying: cents.filter((n) => n > 0).length });
  }
});
afterAll(() => calendar.close());

const inPeriod =
  ({ from, to }: { from: string; to: string }) =>
  ({ day }: { day: string }) =>
    day >= from && day <= to;
const sum = (values: readonly number[]) => values.reduce((all, n) => all + n, 0);
const near = (value: number) => expect.closeTo(value, 4);
const read = () => readAnalytics(calendar, { role: 'owner', period: '1y' });

it('has the images, failures, and accounts of a year, including deleted accounts', async () => {
  const analytics = await read();
  const isIn = inPeriod(analytics);
  const done = jobs.filter(isIn).filter(({ error }) => error === null);
  expect(analytics.images.value).toBe(done.length);
  expect(sum(analytics.days.map(({ failed }) => failed))).toBe(
    jobs.filter(isIn).filter(({ error }) => error !== null && error !== 'cancelled').length,
  );
  expect(analytics.processingTime.average.value).toBeCloseTo(sum(done.map(({ runMs }) => runMs)) / done.length, 0);
  expect(analytics.users).toMatchObject({
    total: { value: living.length },
    new: { value: signUps.filter(isIn).length },
    verified: { value: signUps.filter(isIn).filter(({ verified }) => verified).length },
    deleted: { value: deletions.filter((day) => isIn({ day })).length },
  });
  for (const { day, images, users, activeUsers } of analytics.days) {
    const own = jobs.filter((job) => job.day === day && job.error === null);
    expect([day, images]).toEqual([day, own.length]);
    expect([day, activeUsers]).toEqual([day, new Set(own.map(({ account }) => account)).size]);
    const [came, left] = [signUps.filter((row) => row.day <= day).length, deletions.filter((one) => one <= day).length];
    expect([day, users]).toEqual([day, came - left]);
  }
  expect(deletions.length).toBeGreaterThan(5);
});

it('has the money of each day, and totals that equal the payments', async () => {
  const { revenue, overview, ...span } = await read();
  if (!revenue) throw new Error('The owner sees revenue.');
  for (const { day, gross, refunds } of revenue.days) {
    const own = money.filter((row) => row.day === day);
    expect([day, gross]).toEqual([day, sum(own.map(({ received }) => received)) / 100]);
    expect([day, refunds]).toEqual([day, sum(own.map(({ refunded }) => refunded)) / 100]);
  }
  for (const { plan, revenue: received } of revenue.plans) {
    const own = money.filter((row) => row.tier === plan).filter(inPeriod(span));
    expect([plan, received]).toEqual([plan, sum(own.map((row) => row.received - row.refunded)) / 100]);
  }
  expect(overview.totalRevenue).toBeCloseTo(sum(money.map((row) => row.received - row.refunded)) / 100, 2);
  const thisMonth = money.filter(({ day }) => day >= '2026-11-01');
  expect(overview.monthlyRevenue).toBeCloseTo(sum(thisMonth.map((row) => row.received - row.refunded)) / 100, 2);
});

it('has the MRR and the paying accounts of each day, and movements that add up', async () => {
  const { revenue } = await read();
  if (!revenue) throw new Error('The owner sees revenue.');
  for (const row of revenue.days) {
    const known = mrr.findLast(({ day }) => day <= row.day) ?? { mrr: 0, paying: 0 };
    expect([row.day, row.accounts]).toEqual([row.day, known.paying]);
    expect(row.mrr).toBeCloseTo(known.mrr / 100, 3);
  }
  const { start, end, churn, contraction, ...gains } = revenue.movements;
  expect(end).toBeCloseTo(start + gains.new + gains.expansion + gains.reactivation - contraction - churn, 3);
  expect(end).toBeCloseTo((await readRevenue(calendar.db)).mrr / 100, 3);
  expect(sum(revenue.plans.map((plan) => plan.mrr))).toBeCloseTo(end, 3);
  for (const value of [churn, contraction, ...Object.values(gains)]) expect(value).toBeGreaterThan(0);
});

it('has the failures, engines, plans, surfaces, and top accounts of a year', async () => {
  const reports = await readReports({ ...calendar, settings }, { role: 'owner', period: '1y' });
  const own = jobs.filter(inPeriod(reports));
  for (const code of ['corrupt_image', 'processing_timeout'])
    expect(sum(reports.failures.filter((row) => row.code === code).map(({ count }) => count))).toBe(
      own.filter(({ error }) => error === code).length,
    );
  const priceOf = new Map(Object.entries(engineHourCosts));
  for (const { engine, completed, failed, engineMs, cost, costPerImage } of reports.engines) {
    const jobsOf = own.filter((job) => job.engine === engine);
    expect(completed).toBe(jobsOf.filter(({ error }) => error === null).length);
    expect(failed).toBe(jobsOf.filter(({ error }) => error !== null && error !== 'cancelled').length);
    expect(engineMs).toBeCloseTo(sum(jobsOf.map(({ runMs }) => runMs)), -1);
    const dollars = ((priceOf.get(engine) ?? Number.NaN) / 100) * (sum(jobsOf.map(({ runMs }) => runMs)) / 3_600_000);
    if (priceOf.has(engine)) expect([cost, costPerImage]).toEqual([near(dollars), near(dollars / completed)]);
    else expect([cost, costPerImage]).toEqual([null, null]);
  }
  const priced = reports.engines.filter(({ engine }) => priceOf.has(engine));
  const total = sum(priced.map(({ cost }) => cost ?? 0));
  expect(reports.cost?.value).toEqual(near(total));
  expect(reports.costPerImage?.value).toEqual(near(total / sum(priced.map(({ completed }) => completed))));
  // Few random values aren't spread evenly in their bucket. `histogram.test.ts` shows 1% with many.
  const runs = own.flatMap(({ error, runMs }) => (error === null ? [runMs] : [])).toSorted((a, b) => a - b);
  for (const [value, share] of [
    [reports.run.p50.value, 0.5],
    [reports.run.p95.value, 0.95],
  ] as const)
    expect(Math.abs((value ?? 0) / (runs[Math.ceil(share * runs.length) - 1] ?? 0) - 1)).toBeLessThan(0.03);
  const usage = await readUsage(calendar, { period: '1y' });
  expect(usage.api.value).toBe(own.filter(({ surface, error }) => surface === 'api' && error === null).length);
  expect(sum(usage.rows.map(({ images }) => images))).toBe(own.filter(({ error }) => error === null).length);
  const top = await readTopAccounts(calendar, { period: '1y' });
  for (const { id, images } of top)
    expect(images).toBe(own.filter(({ account, error }) => account === id && error === null).length);
});

it('has active cohorts that equal the accounts with an image in a month', async () => {
  const { cohorts } = await read();
  const months = new Map(signUps.map(({ account, day }) => [account, day.slice(0, 7)]));
  for (const { cohort, month, active, accounts } of cohorts) {
    const isActive = (job: Job) =>
      job.error === null && job.day.startsWith(month.slice(0, 7)) && months.get(job.account) === cohort.slice(0, 7);
    expect([cohort, month, active]).toEqual([
      cohort,
      month,
      new Set(jobs.filter(isActive).map(({ account }) => account)).size,
    ]);
    expect([cohort, month, accounts]).toEqual([
      cohort,
      month,
      signUps.filter(({ day }) => day.startsWith(cohort.slice(0, 7))).length,
    ]);
  }
  expect(cohorts.length).toBeGreaterThan(60);
});

it('compares a period with the equally long one before it', async () => {
  const { images, previousFrom, previousTo } = await readAnalytics(calendar, { role: 'editor', period: '30d' });
  const isBefore = inPeriod({ from: previousFrom, to: previousTo });
  expect(images.previous).toBe(jobs.filter(isBefore).filter(({ error }) => error === null).length);
});
