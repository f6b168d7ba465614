import { AppError } from '@uprez/contracts/app-error';
import { setTwoFactorSecret } from '@uprez/db/queries/two-factor';
import type { UserRow } from '@uprez/db/queries/users';
import { toDataURL } from 'qrcode';
import type { Needs } from '../../context.ts';
import { type OwnerProof, proveOwner } from '../prove-owner.ts';
import { makeTotpSecret, makeTotpUri, twoFactorPurpose } from './totp.ts';

/** `secret`: base32. `uri`: the same for authenticator apps, and `qrCode` a picture of it, as a data URL. */
export type TwoFactorSetup = { secret: string; uri: string; qrCode: string };

/**
 * Make a new secret for the user's authenticator app, shown this once. It takes the place of one that was set up before
 * and is in force only once `enableTwoFactor` has seen a code of it. Throws `two_factor_state` when one is in force, and
 * what `proveOwner` throws.
 */
export async function setUpTwoFactor(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  user: UserRow,
  proof: OwnerProof,
): Promise<TwoFactorSetup> {
  if (user.two_factor_at !== null) throw new AppError('two_factor_state');
  await proveOwner(ctx, user, proof);
  const secret = makeTotpSecret();
  const sealed = ctx.vault.seal(secret, twoFactorPurpose(user.id));
  if (!(await setTwoFactorSecret(ctx.db, user.id, sealed))) throw new AppError('two_factor_state');
  const { siteName } = await ctx.settings.read('site');
  const uri = makeTotpUri(secret, { issuer: siteName, email: user.email });
  return { secret, uri, qrCode: await toDataURL(uri) };
}
