import { tiers } from '@uprez/contracts/policy/plans';
import type { Analytics, PlanRevenue, RevenueDay } from '@uprez/contracts/schemas/analytics';
import type { DbOrTx } from '@uprez/db/database';
import type { Span } from '@uprez/db/queries/analytics/read-jobs';
import { type MoneyDay, readMoneyDays, readPlanMoney } from '@uprez/db/queries/analytics/read-site';
import { readRevenue } from '@uprez/db/queries/billing/admin/revenue';
import { listDays } from '@uprez/db/times';
import { divide, sumOf } from './read-span.ts';

/** Cents -> dollars. Yearly plans cost fractions of a cent per month, of which four decimals are kept. */
export const toDollars = (cents: number): number => Math.round(cents * 100) / 10_000;

type Balance = { mrr: number; accounts: number };
type FullDay = Omit<MoneyDay, keyof Balance> & Balance;

/** Plans in their order, and packs last. */
const placeOf = (plan: string) => [...tiers, 'pack'].indexOf(plan);

const empty = {
  newMrr: 0,
  expansion: 0,
  contraction: 0,
  churn: 0,
  reactivation: 0,
  lostAccounts: 0,
  gross: 0,
  refunds: 0,
};

/** All days from one to another. MRR lasts until it is booked again. */
function fillDays(rows: readonly MoneyDay[], from: string, to: string): FullDay[] {
  const known = new Map(rows.map((row) => [row.day, row]));
  const first = rows[0]?.day ?? from;
  let last: Balance = { mrr: 0, accounts: 0 };
  return listDays(first < from ? first : from, to).map((day) => {
    const row = known.get(day);
    last = { mrr: row?.mrr ?? last.mrr, accounts: row?.accounts ?? last.accounts };
    return { ...empty, ...row, day, ...last };
  });
}

const presentDay = ({ lostAccounts: _, accounts, day, ...cents }: FullDay): RevenueDay => ({
  day,
  accounts,
  gross: toDollars(cents.gross),
  refunds: toDollars(cents.refunds),
  mrr: toDollars(cents.mrr),
  newMrr: toDollars(cents.newMrr),
  expansion: toDollars(cents.expansion),
  reactivation: toDollars(cents.reactivation),
  contraction: toDollars(cents.contraction),
  churn: toDollars(cents.churn),
});

/** Revenue of a period, and the totals that the dashboard also has. */
export async function readPeriodRevenue(db: DbOrTx, span: Span) {
  const totals = await readRevenue(db);
  const all = fillDays(await readMoneyDays(db, span), span.previousFrom, span.to);
  const plans = await readPlanMoney(db, span);
  const current = all.filter(({ day }) => day >= span.from);
  const previous = all.filter(({ day }) => day < span.from && day >= span.previousFrom);
  const balanceBefore = (day: string): Balance => all.findLast((row) => row.day < day) ?? { mrr: 0, accounts: 0 };
  const [start, end] = [balanceBefore(span.from), all.at(-1) ?? { mrr: 0, accounts: 0 }];
  const before = balanceBefore(span.previousFrom);
  const total = (read: (row: FullDay) => number) => toDollars(sumOf(current, read));
  const net = (rows: readonly FullDay[]) => toDollars(sumOf(rows, ({ gross, refunds }) => gross - refunds));
  const lost = (rows: readonly FullDay[]) => sumOf(rows, ({ lostAccounts }) => lostAccounts);
  const lostMrr = (rows: readonly FullDay[]) => sumOf(rows, ({ churn, contraction }) => churn + contraction);
  const arpu = ({ mrr, accounts }: Balance) => divide(toDollars(mrr), accounts);
  const revenue: NonNullable<Analytics['revenue']> = {
    received: { value: net(current), previous: net(previous) },
    mrr: { value: toDollars(end.mrr), previous: toDollars(start.mrr) },
    movements: {
      start: toDollars(start.mrr),
      new: total(({ newMrr }) => newMrr),
      expansion: total(({ expansion }) => expansion),
      reactivation: total(({ reactivation }) => reactivation),
      contraction: total(({ contraction }) => contraction),
      churn: total(({ churn }) => churn),
      end: toDollars(end.mrr),
    },
    payingAccounts: { value: end.accounts, previous: start.accounts },
    arpu: { value: arpu(end), previous: arpu(start) },
    accountChurn: { value: divide(lost(current), start.accounts), previous: divide(lost(previous), before.accounts) },
    mrrChurn: { value: divide(lostMrr(current), start.mrr), previous: divide(lostMrr(previous), before.mrr) },
    activeSubscriptions: totals.live,
    plans: plans
      .toSorted((a, b) => placeOf(a.plan) - placeOf(b.plan))
      .map(({ plan, accounts, mrr, revenue: cents }) => ({
        plan: plan as PlanRevenue['plan'],
        accounts,
        mrr: toDollars(mrr),
        revenue: toDollars(cents),
      })),
    days: current.map(presentDay),
  };
  return { revenue, monthlyRevenue: toDollars(totals.month), totalRevenue: toDollars(totals.total) };
}
