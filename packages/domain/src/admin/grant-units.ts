import { AppError } from '@uprez/contracts/errors/app-error';
import { maxGrantsPerDay } from '@uprez/contracts/policy/admin/permissions';
import type { Meter } from '@uprez/contracts/policy/plans/meters';
import { pluralize } from '@uprez/contracts/texts/format';
import type { Tx } from '@uprez/db/database';
import { countGrantedToday, insertAudit } from '@uprez/db/queries/audit/audit-log';
import { type AllowanceRow, insertAllowance, isInFuture } from '@uprez/db/queries/usage/allowances';
import { insertLedgerRow } from '@uprez/db/queries/usage/ledger';
import { now } from '@uprez/db/times';
import type { Needs } from '../context.ts';
import { ensurePeriod } from '../usage/ensure-period.ts';
import { formatGrantReason } from '../usage/ledger-reasons.ts';
import {
  type Administrator,
  type LockedAdmin,
  lockActorAndUser,
  requireOtherAccount,
  requireRoleNotAbove,
  toAuditFields,
} from './administrator.ts';

/** `reason`: shown to the user. */
export type Grant = { userId: string; units: number; meter: Meter; expiresAt: Date; reason: string };

/**
 * Grants units in addition to the plan. Throws `own_account`, `role_above_own`, `grant_limit`, `invalid_parameter` for an
 * end in the past, and the errors of `lockActorAndUser`.
 */
export async function grantUnits(ctx: Needs<'db'>, { admin, ...grant }: { admin: Administrator } & Grant) {
  requireOtherAccount(admin, grant.userId);
  return ctx.db.transaction().execute(async (tx) => {
    const { actor, user } = await lockActorAndUser(tx, admin, grant.userId);
    requireRoleNotAbove(actor, user.role);
    await requireRemainingGrant(tx, actor, grant.units);
    if (!(await isInFuture(tx, grant.expiresAt))) throw new AppError('invalid_parameter', { param: 'expiresAt' });
    // Updates the plan's allowances and locks all of the account's allowances.
    await ensurePeriod(tx, user.id);
    const { reason, units, meter, expiresAt } = grant;
    await insertAudit(tx, {
      ...toAuditFields(admin),
      action: 'user.grant',
      subject: `user:${user.id}`,
      before: { grant: null },
      after: { grant: { units, meter, expiresAt: expiresAt.toISOString() } },
      reason,
    });
    return insertGrant(tx, { ...grant, userId: user.id });
  });
}

/** Throws `grant_limit` if the units would exceed the daily limit of the administrator's role. */
async function requireRemainingGrant(tx: Tx, { id, role }: LockedAdmin, units: number): Promise<void> {
  const limit = maxGrantsPerDay[role];
  if (limit === undefined) return;
  const left = Math.max(0, limit - (await countGrantedToday(tx, id)));
  if (units <= left) return;
  const detail = `Your role can grant ${pluralize(limit, 'credit')} per day (UTC). You can grant ${left} more today.`;
  throw new AppError('grant_limit', { param: 'units', detail, meta: { limit, left } });
}

async function insertGrant(tx: Tx, grant: Grant): Promise<AllowanceRow & { expiresAt: Date }> {
  const { userId: accountId, units, meter, expiresAt } = grant;
  const row = { accountId, meter, reason: formatGrantReason(grant), units };
  const given = { source: 'grant', tier: null, unitsLeft: units, startsAt: now, expiresAt } as const;
  const allowance = await insertAllowance(tx, { ...row, ...given });
  if (!allowance) throw new Error('The grant was not inserted.');
  await insertLedgerRow(tx, { ...row, allowanceId: allowance.id, kind: 'grant' });
  return { ...allowance, expiresAt };
}
