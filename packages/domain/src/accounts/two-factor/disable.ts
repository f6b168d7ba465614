import { AppError } from '@uprez/contracts/app-error';
import { replaceRecoveryCodes } from '@uprez/db/queries/recovery-codes';
import { clearTwoFactor } from '@uprez/db/queries/two-factor';
import type { UserRow } from '@uprez/db/queries/users';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { type OwnerProof, proveOwner } from '../prove-owner.ts';

/** Turn two-factor sign-in off. Throws `two_factor_state` when it is off, and what `proveOwner` throws. */
export async function disableTwoFactor(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  user: UserRow,
  proof: OwnerProof,
): Promise<void> {
  if (user.two_factor_at === null) throw new AppError('two_factor_state');
  await proveOwner(ctx, user, proof);
  await ctx.db.transaction().execute(async (tx) => {
    const at = await clearTwoFactor(tx, user.id);
    if (!at) throw new AppError('two_factor_state');
    await replaceRecoveryCodes(tx, user.id, []);
    await queueMail(tx, user.id, { mail: 'two_factor_changed', isOn: false, at: at.toISOString() });
  });
}
