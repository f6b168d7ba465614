import { AppError } from '@uprez/contracts/errors/app-error';
import { retention } from '@uprez/contracts/policy/plans/plans';
import { type UsageDay, type UsageQuery, usageDays } from '@uprez/contracts/schemas/dashboard';
import { listUsage, readToday, rollUpOldJobs, type UsageRow } from '@uprez/db/queries/usage/usage';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';

const dayMs = 86_400_000;
const shiftDay = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/**
 * Returns usage by day (UTC), oldest first, including days without usage. Throws `invalid_parameter` if the span is
 * invalid.
 */
export async function getUsage(ctx: Needs<'db'>, { actor: { accountId }, ...asked }: { actor: Actor } & UsageQuery) {
  const to = asked.to ?? (await readToday(ctx.db));
  const from = asked.from ?? shiftDay(to, 1 - usageDays.default);
  const dayCount = 1 + (Date.parse(to) - Date.parse(from)) / dayMs;
  if (!(dayCount >= 1 && dayCount <= usageDays.max))
    throw new AppError('invalid_parameter', {
      param: 'from',
      detail: `"from" and "to" must span 1 to ${usageDays.max} days.`,
      allowed: `1 to ${usageDays.max} days`,
    });
  const rows = await listUsage(ctx.db, { accountId, from, to });
  return Array.from({ length: dayCount }, (_, at) => shiftDay(from, at)).map((day) =>
    makeDay(
      day,
      rows.filter((row) => row.day === day),
    ),
  );
}

function makeDay(day: string, rows: readonly UsageRow[]): UsageDay {
  const sum = (pick: (row: UsageRow) => number, of: readonly UsageRow[] = rows) =>
    of.reduce((all, row) => all + pick(row), 0);
  const completed = (is: Partial<UsageRow> = {}) =>
    sum(
      (row) => row.completed,
      rows.filter((row) => (!is.surface || row.surface === is.surface) && (!is.meter || row.meter === is.meter)),
    );
  const delivered = completed();
  return {
    day,
    completed: delivered,
    failed: sum((row) => row.failed),
    web: completed({ surface: 'web' }),
    api: completed({ surface: 'api' }),
    ai: completed({ meter: 'ai' }),
    standard: completed({ meter: 'standard' }),
    avgProcessingTime: delivered > 0 ? Math.round(sum((row) => row.ms) / delivered) : null,
  };
}

/** Adds old jobs to `usage_days` and deletes their rows. Returns how many jobs were rolled up. Safe to repeat. */
export async function rollUpUsage(ctx: Needs<'db'>): Promise<number> {
  let rolledUp = 0;
  for (let batch = 1; batch > 0; rolledUp += batch)
    batch = await ctx.db.transaction().execute((tx) => rollUpOldJobs(tx, retention.usageRowDays));
  return rolledUp;
}
