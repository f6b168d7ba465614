import { AppError } from '@uprez/contracts/errors/app-error';
import type { DbOrTx, Tx } from '@uprez/db/database';
import { deleteAttempts } from '@uprez/db/queries/accounts/attempts';
import { findDevice } from '@uprez/db/queries/accounts/sessions';
import { findUserByLogin, foldLogin, lockUser, type UserRow } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import {
  accountSubject,
  countGuess,
  deviceSubject,
  rateLimitSubject,
  refundGuess,
  unknownAccountSubject,
} from './guesses.ts';
import { accountTurn, visitorTurn } from './password-hash.ts';
import { checkCountedCode, verifyCountedPassword } from './prove-owner.ts';
import {
  type AccountObserver,
  type Device,
  hashSessionSecret,
  readSessionLifeS,
  type SignInContext,
  type SignInResult,
  startSession,
  truncateUserAgent,
} from './sessions.ts';

export type Credentials = SignInContext &
  AccountObserver & { login: string; password: string; code?: string | undefined };

/**
 * Signs a user in with an email address or username. Throws `bad_credentials` and `too_many_attempts`, even for unknown
 * accounts. If the password is correct, throws `account_suspended`, `two_factor_required`, or `bad_two_factor_code`.
 */
export async function logIn(ctx: Needs<'db' | 'settings' | 'vault'>, input: Credentials): Promise<SignInResult> {
  const user = await findUserByLogin(ctx.db, input.login);
  if (user) input.onAccount?.(user.id);
  const subject = await readAttemptSubject(ctx.db, user, input);
  const isOfAccount = user !== undefined && subject === accountSubject(user.id);
  const isOnKnownDevice = user !== undefined && !isOfAccount;
  await countGuess(ctx, subject, isOfAccount ? input.onLastAttempt : undefined);
  const turn = isOnKnownDevice ? accountTurn(user.id) : visitorTurn(input.device.address);
  const { password } = input;
  const matches = await verifyCountedPassword(ctx, { subject, passwordHash: user?.passwordHash, password, turn });
  if (!user || !matches) throw new AppError('bad_credentials');
  if (user.suspendedAt !== null) {
    await refundGuess(ctx.db, subject);
    throw new AppError('account_suspended');
  }
  await checkCountedCode(ctx, { user, code: input.code, subject });
  const lifeS = await readSessionLifeS(ctx);
  return ctx.db.transaction().execute(async (tx) => {
    const checked = await requireUnchangedUser(tx, user);
    const { newDeviceAt, ...secrets } = await startSession(tx, { ...input, userId: user.id, lifeS });
    if (newDeviceAt) await queueNewDeviceMail(tx, { userId: user.id, device: input.device, at: newDeviceAt });
    // Clears the owner's own typos on a known device. Guesses from other devices stay counted.
    if (!isOfAccount) await deleteAttempts(tx, [subject, rateLimitSubject(subject)]);
    return { user: checked, ...secrets, isNewDevice: newDeviceAt !== undefined };
  });
}

/** Runs the same queries for unknown logins, because timing could otherwise reveal which accounts exist. */
async function readAttemptSubject(
  db: DbOrTx,
  user: UserRow | undefined,
  { login, device }: Credentials,
): Promise<string> {
  const deviceHash = device.secret === undefined ? undefined : hashSessionSecret(device.secret);
  const known = deviceHash && (await findDevice(db, user?.id, deviceHash));
  const folded = await foldLogin(db, login);
  if (!user) return unknownAccountSubject(folded);
  return known ? deviceSubject(user.id, deviceHash) : accountSubject(user.id);
}

/**
 * Locks a user. Throws `bad_credentials` if the password or two-factor authentication changed, or the account was
 * suspended, while the password was being compared.
 */
async function requireUnchangedUser(tx: Tx, user: UserRow): Promise<UserRow> {
  const locked = await lockUser(tx, user.id);
  const isSame =
    locked?.passwordHash === user.passwordHash && locked.twoFactorAt?.getTime() === user.twoFactorAt?.getTime();
  if (!isSame || locked.suspendedAt !== null) throw new AppError('bad_credentials');
  return locked;
}

type NewDevice = { userId: string; device: Device; at: Date };

export const queueNewDeviceMail = (tx: Tx, { userId, device, at }: NewDevice): Promise<void> =>
  queueMail(tx, userId, {
    mail: 'new_device',
    userAgent: truncateUserAgent(device),
    address: device.address ?? null,
    at: at.toISOString(),
  });
