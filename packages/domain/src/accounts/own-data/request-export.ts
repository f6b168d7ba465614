import { type AccountTaskWithSize, findOpenAccountTask, insertAccountTask } from '@uprez/db/queries/account-tasks';
import type { UserRow } from '@uprez/db/queries/users';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { type OwnerProof, proveOwner } from '../prove-owner.ts';

/** Ask for a file of everything that is kept about the user; an open wish is answered again. Throws what `proveOwner` throws. */
export async function requestExport(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  user: UserRow,
  proof: OwnerProof,
): Promise<AccountTaskWithSize> {
  await proveOwner(ctx, user, proof);
  for (;;) {
    const inserted = await insertAccountTask(ctx.db, { id: uuidv7(), user_id: user.id, kind: 'export' });
    const task = inserted ?? (await findOpenAccountTask(ctx.db, user.id));
    // The open one was finished in this very moment: there is room for another.
    if (task) return { ...task, size: null, hasFile: false };
  }
}
