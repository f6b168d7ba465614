import type { Tx } from '@uprez/db/database';
import { insertAudit } from '@uprez/db/queries/accounts/admin-users';
import type { Needs } from '../../context.ts';
import { type Administrator, lockAdmin } from '../administrator.ts';

export type Fields = Record<string, unknown>;
export type Audit = { admin: Administrator; action: string; subject: string; reason?: string | undefined };

/** Writes in one transaction with a row of the audit trail. Throws the errors of `lockAdmin` and of `write`. */
export const writeAudited = <Result>(
  { db }: Needs<'db'>,
  { admin, action, subject, reason }: Audit,
  write: (tx: Tx) => Promise<{ result: Result; before: Fields; after: Fields }>,
): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    const { result, before, after } = await write(tx);
    // Last, because customers and payments are locked before users.
    await lockAdmin(tx, admin);
    const { accountId: actorId, address } = admin;
    await insertAudit(tx, { actorId, address, action, subject, reason, before, after });
    return result;
  });
