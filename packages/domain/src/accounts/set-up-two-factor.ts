import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { keepTwoFactorSecret } from '@uprez/db/queries/accounts/two-factor';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { toDataURL } from 'qrcode';
import type { Needs } from '../context.ts';
import { type OwnerProof, proveOwner } from './prove-owner.ts';
import { makeTotpSecret, makeTotpUri, stepS, twoFactorPurpose } from './two-factor/totp.ts';

/** `secret`: base32. `uri`: the same for authenticator apps, and `qrCode` an image of it, as a data URL. */
export type TwoFactorSetup = { secret: string; uri: string; qrCode: string };

/**
 * Create a two-factor secret, or return a recent pending one. `enableTwoFactor` puts it into force. Throws
 * `email_unverified`, `two_factor_state` when two-factor is on, and the errors of `proveOwner`.
 */
export async function setUpTwoFactor(
  ctx: Needs<'db' | 'vault' | 'settings'>,
  { user, ...proof }: { user: UserRow } & OwnerProof,
): Promise<TwoFactorSetup> {
  if (!user.emailVerified) throw new AppError('email_unverified');
  if (user.twoFactorAt !== null) throw new AppError('two_factor_state');
  await proveOwner(ctx, { user, ...proof });
  const purpose = twoFactorPurpose(user.id);
  const kept = await keepTwoFactorSecret(ctx.db, {
    userId: user.id,
    passwordHash: user.passwordHash,
    secret: ctx.vault.seal(makeTotpSecret(), purpose),
    stepS,
    steps: (limits.twoFactorSetupMinutes * 60) / stepS,
  });
  if (!kept) throw new AppError('two_factor_state');
  const secret = ctx.vault.unseal(kept, purpose);
  const { siteName } = await ctx.settings.read('site');
  const uri = makeTotpUri(secret, { issuer: siteName, email: user.email });
  return { secret, uri, qrCode: await toDataURL(uri) };
}
