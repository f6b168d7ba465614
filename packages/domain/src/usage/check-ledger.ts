import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Meter } from '@uprez/contracts/policy/plans/meters';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { listPackErrors } from '@uprez/db/queries/billing/bought-packs';
import { listCouponErrors } from '@uprez/db/queries/coupons/redemptions';
import { listKnownKeys } from '@uprez/db/queries/jobs/objects';
import {
  countAllJobs,
  type LedgerError,
  listAllowanceErrors,
  listJobsWithoutResult,
  listLedgerErrors,
  listStoredObjects,
  listUnfinishedJobs,
  type StoredRow,
} from '@uprez/db/queries/usage/ledger';
import {
  listPaidLines,
  listPaidUnits,
  listReverseErrors,
  type PaidLine,
  type PaidUnits,
} from '@uprez/db/queries/usage/paid-units';
import { objectPrefixes } from '@uprez/storage/object-keys';
import type { Needs } from '../context.ts';

export type LedgerReport = { jobs: number; objects: number; errors: string[] };

/**
 * Finds inconsistencies in the ledger and reads every stored object. If `unfinishedS` is set, jobs that are unfinished
 * after that many seconds count as inconsistencies.
 */
export async function checkLedger(ctx: Needs<'db' | 'storage'>, unfinishedS?: number): Promise<LedgerReport> {
  const errors: LedgerError[] = [
    ...(await listLedgerErrors(ctx.db)),
    ...(await listAllowanceErrors(ctx.db)),
    ...(await listJobsWithoutResult(ctx.db)),
    ...(await checkPaidUnits(ctx)),
    ...(await listCouponErrors(ctx.db)),
    ...(await listPackErrors(ctx.db)),
    ...(unfinishedS === undefined ? [] : await listUnfinishedJobs(ctx.db, unfinishedS)),
  ];
  const jobs = await countAllJobs(ctx.db);
  const stored = await checkStoredObjects(ctx);
  const lines = errors.map(({ subject, error }) => `${subject}: ${error}`);
  return { jobs, objects: stored.objects, errors: [...lines, ...stored.errors, ...(await findOrphans(ctx))] };
}

async function checkStoredObjects(ctx: Needs<'db' | 'storage'>): Promise<{ objects: number; errors: string[] }> {
  const errors: string[] = [];
  let objects = 0;
  for (let after: string | undefined; ; ) {
    const rows = await listStoredObjects(ctx.db, after);
    for (const row of rows) {
      const error = await checkBytes(ctx, row);
      if (error) errors.push(error);
    }
    objects += rows.length;
    after = rows.at(-1)?.id;
    if (!after) return { objects, errors };
  }
}

async function checkBytes(ctx: Needs<'storage'>, row: StoredRow): Promise<string | undefined> {
  const facts = await ctx.storage.head(row.key);
  const stored = facts && (await ctx.storage.get(row.key).catch(ignoreMissing));
  if (!stored) return `object ${row.key}: the row says stored, but there are no bytes`;
  const digest = createHash('sha256');
  await pipeline(stored.stream, digest);
  if (facts.sizeBytes !== row.size) return `object ${row.key}: ${facts.sizeBytes} bytes instead of ${row.size}`;
  return digest.digest('hex') === row.sha256 ? undefined : `object ${row.key}: other bytes than its row says`;
}

/** Ignores an object that was deleted after it was listed. */
function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'not_found')) throw error;
}

async function findOrphans(ctx: Needs<'db' | 'storage'>): Promise<string[]> {
  const orphans: string[] = [];
  for (const prefix of objectPrefixes) {
    const keys: string[] = [];
    for await (const { key } of ctx.storage.list(prefix)) keys.push(key);
    const known = await listKnownKeys(ctx.db, keys);
    orphans.push(...keys.filter((key) => !known.has(key)).map((key) => `object ${key}: bytes without a row`));
  }
  return orphans;
}

/** Compares units with payments: allowances with paid invoice lines, and reversed units with refunds. */
export async function checkPaidUnits({ db }: Needs<'db'>): Promise<LedgerError[]> {
  const units = (await listPaidUnits(db)).map((row) => ({ subject: `allowance ${row.id}`, error: checkUnits(row) }));
  const lines = (await listPaidLines(db)).map((line) => ({
    subject: `invoice ${line.invoiceId}`,
    error: checkLine(line),
  }));
  const found = [...units, ...lines].filter((row): row is LedgerError => row.error !== undefined);
  return [...found, ...(await listReverseErrors(db))];
}

const months = { month: 1, year: 12 };

function checkUnits({ tier, meter, units, cycle, status, interval, planVersion, isCurrent }: PaidUnits) {
  if (status === null) return 'the invoice that pays it is missing';
  if (interval && cycle >= months[interval]) return `has month ${cycle + 1} of a plan that is paid by the ${interval}`;
  // The subscription's price has changed since then, so the units can't be compared with the plan.
  if (planVersion === null) return undefined;
  const { version, ...plan } = planOf({ tier, planVersion });
  if (version !== planVersion) return `was bought as version ${planVersion} of the plan, which isn't listed`;
  const included: Partial<Record<Meter, number>> = plan.included;
  const all = included[meter] ?? 0;
  if (units > all) return `has ${units} units, the plan has ${all}`;
  if (isCurrent && units < all) return `is paid and has ${units} of ${all} units`;
  return undefined;
}

function checkLine({ meters, ...account }: PaidLine) {
  const missing = Object.keys(planOf(account).included).filter((meter) => !meters.some((granted) => granted === meter));
  return missing.length > 0 ? `is paid, but gave no units for ${missing.join(' and ')}` : undefined;
}
