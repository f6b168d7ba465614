import { limits } from '@uprez/contracts/policy/limits';
import {
  type AccountTaskWithSize,
  findFreshExport,
  findOpenAccountTask,
  insertAccountTask,
} from '@uprez/db/queries/accounts/account-tasks';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { type OwnerProof, proveOwner } from '../prove-owner.ts';

/**
 * Ask for a file of everything that is kept about the user. An open wish is answered again, and so is a file that was
 * finished within the hours that the limits name: archives take much room. Throws what `proveOwner` throws.
 */
export async function requestExport(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: UserRow } & OwnerProof,
): Promise<AccountTaskWithSize> {
  await proveOwner(ctx, { user, ...proof });
  const made = await findFreshExport(ctx.db, user.id, limits.exportPauseHours * 3_600);
  if (made) return made;
  for (;;) {
    const inserted = await insertAccountTask(ctx.db, { id: uuidv7(), userId: user.id, kind: 'export' });
    const task = inserted ?? (await findOpenAccountTask(ctx.db, user.id));
    // The open one was finished in this very moment: there is room for another.
    if (task) return { ...task, size: null, hasFile: false };
  }
}
