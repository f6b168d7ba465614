import { AppError } from '@uprez/contracts/errors/app-error';
import type { JobSettings } from '@uprez/contracts/schemas/job-settings';
import type { Tx } from '@uprez/db/database';
import { lockSettings } from '@uprez/db/locks';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { readJobSettings } from '@uprez/db/queries/jobs/job-settings';
import type { Needs } from '../../context.ts';
import { type Administrator, auditedBy, lockAdmin } from '../administrator.ts';

/** `reason`: for the audit trail. */
export type OperatorChange = { admin: Administrator; reason?: string | undefined };
type Plan = {
  admin: Administrator;
  /** The audited state of the subject. */
  stateOf: (settings: JobSettings) => Record<string, unknown>;
  change: (settings: JobSettings) => JobSettings;
};
type Change = OperatorChange &
  Plan & {
    action: string;
    subject: string;
    /** What precedes an allowed change, outside of its transaction. Safe to repeat. */
    prepare?: (() => Promise<void>) | undefined;
  };

/**
 * Changes which jobs are started, effective with the next claim. Throws `operations_changed` if the state is already as
 * wanted, and the errors of `lockAdmin`.
 */
export async function changeJobSettings(
  ctx: Needs<'db' | 'settings'>,
  { admin, reason, action, subject, prepare, ...plan }: Change,
): Promise<JobSettings> {
  if (prepare) {
    await ctx.db.transaction().execute((tx) => planChange(tx, { admin, ...plan }));
    await prepare();
  }
  const written = await ctx.db.transaction().execute(async (tx) => {
    const { value, before, after } = await planChange(tx, { admin, ...plan });
    await insertAudit(tx, { ...auditedBy(admin), action, subject, reason, before, after });
    await upsertSettings(tx, 'jobs', value);
    return value;
  });
  ctx.settings.forget('jobs');
  return written;
}

/** The settings after a change, with the administrator and the settings locked. */
async function planChange(tx: Tx, { admin, stateOf, change }: Plan) {
  await lockAdmin(tx, admin);
  await lockSettings(tx, 'jobs');
  const held = await readJobSettings(tx);
  const value = change(held);
  const [before, after] = [stateOf(held), stateOf(value)];
  if (JSON.stringify(before) === JSON.stringify(after)) throw new AppError('operations_changed');
  return { value, before, after };
}

/** A list with or without a member. */
export const withMember = <Member>(list: readonly Member[], member: Member, isIn: boolean): Member[] => [
  ...list.filter((one) => one !== member),
  ...(isIn ? [member] : []),
];
