import { randomBytes } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { toNextPath } from '@uprez/contracts/policy/next-path';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import type { Tx } from '@uprez/db/database';
import { findAnyOwner, findUserByLogin, insertUser } from '@uprez/db/queries/accounts/users';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { checkNewPassword, hashPassword, serviceTurn, visitorTurn } from './password-hash.ts';
import { readSessionLifeS, type SignInContext, type SignInResult, startSession } from './sessions.ts';
import { acceptTermsInForce } from './terms.ts';

export type NewAccount = SignInContext & {
  email: string;
  password: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  username?: string | undefined;
  acceptTerms?: boolean | undefined;
  next?: string | undefined;
};

/**
 * Creates an account, emails its confirmation link, and signs the user in. Throws `registration_closed`,
 * `password_too_short`, `password_too_common`, `email_taken`, or `invalid_parameter` for a username that contains @ but
 * isn't the email address.
 */
export async function registerAccount(ctx: Needs<'db' | 'settings'>, input: NewAccount): Promise<SignInResult> {
  const { allowRegistration, defaultPlan } = await ctx.settings.read('site');
  if (!allowRegistration) throw new AppError('registration_closed');
  if (input.username?.includes('@') && input.username.toLowerCase() !== input.email.toLowerCase())
    throw new AppError('invalid_parameter', {
      param: 'username',
      detail: 'A username can contain @ only if it is your email address.',
    });
  await checkNewPassword(ctx, { password: input.password, owner: input });
  const passwordHash = await hashPassword(input.password, visitorTurn(input.device.address));
  const { welcomeEmailEnabled } = await ctx.settings.read('email');
  const lifeS = await readSessionLifeS(ctx);
  return ctx.db.transaction().execute(async (tx) => {
    const inserted = await insertUser(tx, {
      id: uuidv7(),
      email: input.email,
      username: input.username || input.email,
      passwordHash,
      firstName: input.firstName || null,
      lastName: input.lastName || null,
      tier: defaultPlan,
    });
    if (!inserted) throw await takenError(tx, input.email);
    const user = input.acceptTerms ? await acceptTermsInForce(tx, inserted, input.device) : inserted;
    await queueVerificationMail(tx, user.id, input.next);
    if (welcomeEmailEnabled) await queueMail(tx, user.id, { mail: 'welcome' });
    const { newDeviceAt, ...secrets } = await startSession(tx, { ...input, userId: user.id, lifeS });
    return { user, ...secrets, isNewDevice: newDeviceAt !== undefined };
  });
}

async function takenError(tx: Tx, email: string): Promise<AppError> {
  if (await findUserByLogin(tx, email)) return new AppError('email_taken', { param: 'email' });
  return new AppError('email_taken', { param: 'username', detail: 'This username is taken. Choose another one.' });
}

/**
 * Queues the email for confirming an address. `next`: the page to open afterward. Ignored if it isn't a page of this
 * site.
 */
export async function queueVerificationMail(tx: Tx, userId: string, next: string | undefined): Promise<void> {
  const page = toNextPath(next);
  await queueMail(tx, userId, { mail: 'verify_email', ...(page !== mailPages.home && { next: page }) });
}

/**
 * Creates the first administrator, who is an owner, unless an owner exists. Returns the password if it was generated.
 */
export async function ensureAdmin(
  ctx: Needs<'db'>,
  admin: { email: string; password?: string | undefined },
): Promise<{ madeUpPassword?: string }> {
  if (await findAnyOwner(ctx.db)) return {};
  const password = admin.password ?? randomBytes(12).toString('base64url');
  const created = await insertUser(ctx.db, {
    id: uuidv7(),
    email: admin.email,
    username: admin.email,
    passwordHash: await hashPassword(password, serviceTurn),
    role: 'owner',
    emailVerified: true,
  });
  return created && !admin.password ? { madeUpPassword: password } : {};
}
