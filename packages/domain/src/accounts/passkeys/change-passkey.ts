import { AppError } from '@uprez/contracts/errors/app-error';
import {
  deletePasskey as deleteRow,
  listPasskeys as listRows,
  type PasskeyRow,
  renamePasskey as renameRow,
} from '@uprez/db/queries/accounts/passkeys';
import { lockUser } from '@uprez/db/queries/accounts/users';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';

export type Passkey = PasskeyRow;
type OwnPasskey = { userId: string; id: string };

/** Returns a user's passkeys, oldest first. */
export const listPasskeys = (ctx: Needs<'db'>, userId: string): Promise<Passkey[]> => listRows(ctx.db, userId);

/** Renames a passkey. Throws `passkey_not_found`, even for another user's passkey. */
export async function renamePasskey(ctx: Needs<'db'>, input: OwnPasskey & { name: string }): Promise<Passkey> {
  const renamed = isUuid(input.id) ? await renameRow(ctx.db, input) : undefined;
  if (!renamed) throw new AppError('passkey_not_found');
  return renamed;
}

/** Deletes a passkey and emails its owner. Sessions stay active. Throws `passkey_not_found`. */
export async function deletePasskey(ctx: Needs<'db'>, { userId, id }: OwnPasskey): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const deleted = isUuid(id) ? await deleteRow(tx, { userId, id }) : undefined;
    if (!deleted) throw new AppError('passkey_not_found');
    const at = new Date().toISOString();
    await queueMail(tx, userId, { mail: 'passkey_changed', name: deleted.name, isAdded: false, at });
  });
}
