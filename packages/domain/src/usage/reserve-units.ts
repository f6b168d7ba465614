import { AppError } from '@uprez/contracts/errors/app-error';
import { quotaHintWithPacks } from '@uprez/contracts/errors/error-hints';
import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import {
  addsToQuota,
  countImages,
  coversJob,
  type JobMeter,
  type Meter,
  warningPercentages,
} from '@uprez/contracts/policy/plans/meters';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { formatCount, formatDay } from '@uprez/contracts/texts/format';
import { packsPage, sitePaths } from '@uprez/contracts/texts/site/pages';
import type { QuotaEventData } from '@uprez/contracts/v1/events';
import type { DbOrTx, Tx } from '@uprez/db/database';
import { addKeyUnits, lockApiKey, readNextMonth } from '@uprez/db/queries/api-keys/api-keys';
import { listPackPrices } from '@uprez/db/queries/billing/prices';
import { type AllowanceRow, type OpenAllowance, setWarnedShare, takeUnits } from '@uprez/db/queries/usage/allowances';
import { insertReservations } from '@uprez/db/queries/usage/ledger';
import { recordEvent } from '../events/record-event.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { reportLimit } from '../report-limit.ts';
import { type Balance, ensurePeriod } from './ensure-period.ts';

export type Reservation = { id: string; meter: JobMeter; reason: string };
export type ReservationRequest = {
  accountId: string;
  /** Jobs in order of precedence. `id`: ID of the job, or ID of the unit for a batch item. */
  jobs: readonly Reservation[];
  /**
   * Whether to reserve fewer units if not all of them are available, but at least one. By default, reserves all units
   * or none.
   */
  acceptPartial?: boolean | undefined;
  /** ID of the API key that uses the units. The units also count toward the key's monthly cap. */
  keyId?: string | null | undefined;
};

type ReservationResult = { reserved: string[]; refused: string[] };

type UnitAssignment = { allowance: OpenAllowance; jobs: Reservation[] };

/**
 * Reserves one unit per job, from the allowances that end first. Call it late in a transaction, because it blocks the
 * account's other reservations until the transaction ends. Throws `quota_exceeded`, `key_cap_exceeded`, or
 * `not_signed_in`.
 */
export async function reserveUnits(tx: Tx, { keyId, ...request }: ReservationRequest): Promise<ReservationResult> {
  if (!keyId) return reserveFromBalance(tx, request);
  const { accountId, jobs, acceptPartial } = request;
  const units = await takeKeyUnits(tx, { accountId, keyId, units: jobs.length, acceptPartial });
  if (units < jobs.length) reportLimit('key_cap');
  const { reserved, refused } = await reserveFromBalance(tx, { ...request, jobs: jobs.slice(0, units) });
  if (refused.length > 0) await addKeyUnits(tx, keyId, -refused.length);
  return { reserved, refused: [...refused, ...jobs.slice(units).map(({ id }) => id)] };
}

async function reserveFromBalance(tx: Tx, { accountId, jobs, acceptPartial }: Omit<ReservationRequest, 'keyId'>) {
  const balance = await ensurePeriod(tx, accountId);
  if (!balance) throw new AppError('not_signed_in');
  const { takings, refused } = assignUnits(balance, jobs);
  const reserved = takings.flatMap((taking) => taking.jobs);
  const [first] = refused;
  if (first && !(acceptPartial && reserved.length > 0))
    throw await makeQuotaExceededError(tx, shortageOf(balance, jobs, first.meter));
  if (first) reportLimit('quota');
  await takeAssignedUnits(tx, balance, takings);
  const taken = new Set(reserved.map(({ id }) => id));
  return { reserved: jobs.map(({ id }) => id).filter((id) => taken.has(id)), refused: refused.map(({ id }) => id) };
}

function assignUnits(
  { allowances }: Balance,
  jobs: readonly Reservation[],
): { takings: UnitAssignment[]; refused: Reservation[] } {
  const takings = allowances.toSorted(compareByUse).map((allowance) => ({ allowance, jobs: [] as Reservation[] }));
  const refused: Reservation[] = [];
  for (const job of jobs) {
    const paying = takings.filter(({ allowance }) => coversJob(allowance.meter, job.meter));
    const taking =
      paying.find(({ allowance, jobs: given }) => allowance.unitsLeft > given.length) ??
      paying.find(({ allowance }) => !allowance.hardStop);
    if (taking) taking.jobs.push(job);
    else refused.push(job);
  }
  return { takings: takings.filter((taking) => taking.jobs.length > 0), refused };
}

/** Returns the end of an allowance in milliseconds. Packs never end, so they are used last. */
const endOf = ({ expiresAt }: AllowanceRow) => (expiresAt ? Number(expiresAt) : Number.MAX_SAFE_INTEGER);

/** If they end at the same time, the more specific meter comes first. */
const compareByUse = (a: AllowanceRow, b: AllowanceRow) =>
  endOf(a) - endOf(b) || Number(a.meter === 'shared') - Number(b.meter === 'shared');

/** Measured on the plan's own meter, which may be `shared`. */
function shortageOf({ plan, period, allowances }: Balance, jobs: readonly Reservation[], wanted: JobMeter) {
  const meter: Meter = wanted in plan.included ? wanted : 'shared';
  const paying = allowances.filter((allowance) => coversJob(allowance.meter, wanted));
  const have = paying.reduce((sum, { unitsLeft }) => sum + Math.max(0, unitsLeft), 0);
  const needs = jobs.filter((job) => coversJob(meter, job.meter)).length;
  return { meter, have, needs, resetsAt: period.endsAt };
}

/** In the order of allowance IDs, like all code that locks several allowances, to avoid deadlocks. */
async function takeAssignedUnits(tx: Tx, balance: Balance, takings: readonly UnitAssignment[]): Promise<void> {
  for (const { allowance, jobs } of takings.toSorted((a, b) => (a.allowance.id < b.allowance.id ? -1 : 1))) {
    const { id: allowanceId, accountId, meter } = allowance;
    const unitsLeft = await takeUnits(tx, allowanceId, jobs.length);
    if (unitsLeft === undefined) throw new Error(`The allowance ${allowanceId} changed while it was locked.`);
    const row = { accountId, allowanceId, kind: 'reserve', meter, units: -1 } as const;
    const rows = jobs.map(({ id, reason }) => ({ ...row, jobId: id, reason }));
    await insertReservations(tx, rows);
    allowance.unitsLeft = unitsLeft;
  }
  for (const { allowance } of takings) await warnOfQuota(tx, balance, allowance);
}

export const meterOf = ({ engine }: Pick<ImagePipeline, 'engine'>): JobMeter =>
  isAiEngine(engine) ? 'ai' : 'standard';

/** `use`: purpose of the image, shown in the ledger. Set only if the account's owner didn't send the image. */
type UnitRequest = {
  id: string;
  accountId: string;
  plan: ImagePipeline;
  keyId?: string | undefined;
  use?: string | undefined;
};

export async function reserveUnit(tx: Tx, { id, accountId, plan, keyId, use }: UnitRequest): Promise<void> {
  const { width, height } = plan.output;
  const reason = `Reserved for one image of ${width} x ${height} pixels with ${plan.engine}${use ? `, for ${use}` : ''}`;
  await reserveUnits(tx, { accountId, keyId, jobs: [{ id, meter: meterOf(plan), reason }] });
}

/**
 * Creates the `quota_exceeded` error. The message and `meta` contain the available and the required units. Mentions
 * packs if any pack adds to the meter.
 */
async function makeQuotaExceededError(
  tx: Tx,
  { meter, have, needs, resetsAt }: ReturnType<typeof shortageOf>,
): Promise<AppError> {
  const hasPack = await hasPackFor(tx, meter);
  const left = have === 0 ? `no ${countImages(0, meter).slice(2)}` : `only ${countImages(have, meter)}`;
  return new AppError('quota_exceeded', {
    detail: `You have ${left} left. You need ${formatCount(needs)}. Your quota resets on ${formatDay(resetsAt)}. Upgrade your plan${hasPack ? ' or buy a pack' : ''} for more.`,
    meta: {
      ...{ meter, have, needs, resetsAt: resetsAt.toISOString(), upgradeUrl: sitePaths.pricing },
      ...(hasPack && { packsUrl: packsPage }),
    },
    hint: hasPack ? quotaHintWithPacks : undefined,
  });
}

/**
 * Notifies the owner when a share of a plan's units in `warningPercentages` has been used. Each share is notified once. If
 * several shares are reached at the same time, notifies for the largest share.
 */
export async function warnOfQuota(tx: Tx, balance: Balance, allowance: OpenAllowance): Promise<void> {
  const { source, unitsLeft, meter, hardStop } = allowance;
  const units = allowance.units - allowance.reversed;
  const used = units - unitsLeft;
  const share = warningPercentages.findLast((percent) => 100 * used >= percent * units);
  if (source !== 'plan' || share === undefined || share <= allowance.warned) return;
  await setWarnedShare(tx, allowance.id, share);
  const left = balance.allowances
    .filter((other) => coversJob(other.meter, meter))
    .reduce((sum, other) => sum + Math.max(0, other.unitsLeft), 0);
  const resetsAt = balance.period.endsAt.toISOString();
  const data: QuotaEventData = { meter, share, included: units, left, resets_at: resetsAt };
  await recordEvent(tx, { accountId: balance.accountId, type: 'quota.warning', isSandbox: false, data });
  const facts = { share, meter, included: units, left, goesOn: !hardStop, resetsAt };
  await queueMail(tx, balance.accountId, { mail: 'quota_warning', ...facts });
}

const hasPackFor = async (db: DbOrTx, meter: Meter): Promise<boolean> =>
  (await listPackPrices(db)).some(({ packMeter }) => addsToQuota(packMeter, meter));

/**
 * Units that an API key is about to use. `acceptPartial`: whether to take fewer units if the key's cap doesn't allow
 * all of them, but at least one.
 */
type KeyUnits = { accountId: string; keyId: string; units: number; acceptPartial?: boolean | undefined };

/**
 * Counts units toward a key's monthly cap and returns how many were counted. Call it before the allowances are locked.
 * Throws `key_cap_exceeded`, or `bad_api_key` for a missing key.
 */
export async function takeKeyUnits(tx: Tx, { accountId, keyId, units, acceptPartial }: KeyUnits): Promise<number> {
  const key = await lockApiKey(tx, accountId, keyId);
  if (!key) throw new AppError('bad_api_key');
  const left = key.monthlyCap === null ? units : Math.max(0, key.monthlyCap - key.unitsThisMonth);
  const taken = Math.min(units, left);
  if (taken < units && !(acceptPartial && taken > 0)) {
    const resetsAt = (await readNextMonth(tx)).toISOString();
    throw new AppError('key_cap_exceeded', { meta: { cap: key.monthlyCap, needs: units, have: left, resetsAt } });
  }
  await addKeyUnits(tx, keyId, taken);
  return taken;
}
