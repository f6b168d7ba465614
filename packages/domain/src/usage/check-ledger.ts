import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
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
import { objectPrefixes } from '@uprez/storage/object-keys';
import type { Needs } from '../context.ts';
import { checkPaidUnits } from './check-paid-units.ts';

export type LedgerReport = { jobs: number; objects: number; errors: string[] };

/** Find inconsistencies; reads every object. Jobs that are unfinished after `unfinishedS` seconds count as one. */
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

/** The object was deleted since it was found. */
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
