import { type AnalyticsPeriod, maxTopAccounts } from '@uprez/contracts/policy/admin/analytics';
import { tiers } from '@uprez/contracts/policy/plans/plans';
import type { AnalyticsUsage, TopAccount } from '@uprez/contracts/schemas/admin/analytics';
import type { Tx } from '@uprez/db/database';
import { type PlanJobs, readUsageJobs } from '@uprez/db/queries/analytics/read-jobs';
import { listTopAccounts } from '@uprez/db/queries/analytics/read-site';
import { listDays } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { comparePeriods, readPeriodDays, readSnapshot, splitByPeriod, sumOf } from './read-span.ts';

type PeriodQuery = { period?: AnalyticsPeriod | undefined };
const surfaces = ['web', 'api'] as const;

/** Returns how many images were delivered in a period, by plan and surface. */
export const readUsage = (ctx: Needs<'db'>, { period }: PeriodQuery): Promise<AnalyticsUsage> =>
  readSnapshot(ctx, (tx) => queryUsage(tx, period));

async function queryUsage(db: Tx, period: AnalyticsPeriod | undefined): Promise<AnalyticsUsage> {
  const wanted = await readPeriodDays(db, period);
  const { days, plans } = await readUsageJobs(db, wanted);
  const bySurface = (surface: (typeof surfaces)[number]) => days.filter((row) => row.surface === surface);
  const [web, api] = [bySurface('web'), bySurface('api')];
  const total = (rows: typeof days) =>
    comparePeriods(splitByPeriod(rows, wanted), (part) => sumOf(part, ({ completed }) => completed));
  const imagesOf = (rows: typeof days) => new Map(rows.map(({ day, completed }) => [day, completed]));
  const [webOf, apiOf] = [imagesOf(web), imagesOf(api)];
  const sum = (of: { tier: string; surface: string; isCurrent: boolean }, read: (row: PlanJobs) => number) =>
    sumOf(
      plans.filter((row) => row.tier === of.tier && row.surface === of.surface && row.isCurrent === of.isCurrent),
      read,
    );
  return {
    ...wanted.span,
    web: total(web),
    api: total(api),
    days: listDays(wanted.from, wanted.to).map((day) => ({ day, web: webOf.get(day) ?? 0, api: apiOf.get(day) ?? 0 })),
    rows: tiers.flatMap((tier) =>
      surfaces.map((surface) => ({
        plan: tier,
        surface,
        images: sum({ tier, surface, isCurrent: true }, ({ completed }) => completed),
        previous: sum({ tier, surface, isCurrent: false }, ({ completed }) => completed),
        failed: sum({ tier, surface, isCurrent: true }, ({ failed }) => failed),
      })),
    ),
  };
}

/** Returns the accounts with the most images delivered in a period. */
export async function readTopAccounts({ db }: Needs<'db'>, { period }: PeriodQuery): Promise<TopAccount[]> {
  const rows = await listTopAccounts(db, await readPeriodDays(db, period), maxTopAccounts);
  return rows.map((row) => ({ ...row, plan: row.plan as TopAccount['plan'] }));
}
