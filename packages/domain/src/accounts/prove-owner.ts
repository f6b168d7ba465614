import { AppError } from '@uprez/contracts/errors/app-error';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { checkCountedCode } from './attempts/check-counted-code.ts';
import { countAttempt } from './attempts/count-attempt.ts';
import { proofSubject } from './attempts/subjects.ts';
import { verifyPassword } from './password-hash.ts';

export type OwnerProof = { password: string; code?: string | undefined };

/**
 * Have whoever is signed in prove to be the account's owner, before what a stolen session must not do. Throws
 * `wrong_password`; where two-factor sign-in is on `two_factor_required` or `bad_two_factor_code`; and
 * `too_many_attempts`.
 */
export async function proveOwner(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  { user, password, code }: { user: UserRow } & OwnerProof,
): Promise<void> {
  const subject = proofSubject(user.id);
  await countAttempt(ctx, subject);
  if (!(await verifyPassword(user.passwordHash, password))) throw new AppError('wrong_password');
  await checkCountedCode(ctx, { user, code, subject });
}
