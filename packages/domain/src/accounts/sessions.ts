import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { DbOrTx, Tx } from '@uprez/db/database';
import {
  changeSessionSecret,
  deleteOldestDevices,
  deleteOldestSessions,
  deleteOtherSessions,
  deleteSession,
  deleteUserSession,
  deleteUserSessions,
  findSessionUser as findRow,
  insertSession,
  listUserSessions,
  type SessionRow,
  type SessionUser,
  touchSession,
  upsertDevice,
} from '@uprez/db/queries/accounts/sessions';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { afterSeconds } from '@uprez/db/times';
import { isUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { reportLimit } from '../report-limit.ts';
import { type ActiveView, resolveView } from './views/account-views.ts';

/**
 * The user of a session, and the session's ID. `view`: set while an administrator's session reads as that user. If it's
 * `ended`, the user is the administrator again, but the browser may still show the other account.
 */
export type SignedInUser = SessionUser & { view?: ActiveView | 'ended' };

/**
 * Minimum time between renewals of a session, in seconds. Renewing once a minute keeps the expiration accurate enough
 * without a write for every request.
 */
const renewAfterS = 60;

/** Returns the user for a session secret. Undefined if the session is unknown, has ended, or has expired. */
export async function findSessionUser(
  ctx: Needs<'db' | 'settings'>,
  secret: string,
): Promise<SignedInUser | undefined> {
  const idHash = hashSessionSecret(secret);
  const lifeS = await readSessionLifeS(ctx);
  const row = await findRow(ctx.db, idHash, lifeS);
  if (row && row.idleS > renewAfterS) await touchSession(ctx.db, idHash, lifeS);
  return row?.viewAsId ? resolveView(ctx, row, row.viewAsId) : row;
}

export type Session = SessionRow;

/** Returns a user's active sessions, newest first. */
export const listSessions = async (ctx: Needs<'db' | 'settings'>, userId: string): Promise<SessionRow[]> =>
  listUserSessions(ctx.db, userId, await readSessionLifeS(ctx));

/**
 * Signs a user out on one device. Throws `session_not_found` if the session doesn't exist or belongs to another user.
 */
export async function endSession(ctx: Needs<'db'>, { userId, sessionId }: { userId: string; sessionId: string }) {
  if (!isUuid(sessionId) || !(await deleteUserSession(ctx.db, userId, sessionId)))
    throw new AppError('session_not_found');
}

export const endSessions = (ctx: Needs<'db'>, userId: string) => deleteUserSessions(ctx.db, userId);

export type OwnSession = Pick<SessionUser, 'id' | 'sessionId' | 'sessionHash'>;

/**
 * Ends the user's other sessions and gives this session a new secret. Throws `not_signed_in` if this session has ended
 * in the meantime.
 */
export async function endOtherSessions(tx: Tx, { id, sessionId, sessionHash }: OwnSession): Promise<string> {
  const secret = createSessionSecret();
  if (!(await changeSessionSecret(tx, sessionHash, hashSessionSecret(secret)))) throw new AppError('not_signed_in');
  await deleteOtherSessions(tx, id, sessionId);
  return secret;
}

/** Ends a session, effective with the next request. */
export const logOut = (ctx: Needs<'db'>, secret: string) => deleteSession(ctx.db, hashSessionSecret(secret));

/** Returns how long a session may be inactive before it ends, in seconds. Administrators set this. */
export const readSessionLifeS = async (ctx: Needs<'settings'>): Promise<number> =>
  (await ctx.settings.read('security')).sessionTimeout * 60;

/** Returns 256 random bits in base64url, as stored in a session or device cookie. */
export const createSessionSecret = () => randomBytes(32).toString('base64url');
export const hashSessionSecret = (secret: string) => createHash('sha256').update(secret).digest();

/** The device that sent a request. `secret`: from the device's long-lived cookie. */
export type Device = { userAgent: string | undefined; address: string | undefined; secret?: string | undefined };

/** `formerSecret`: secret of the session that sent the request. Signing in ends that session. */
export type SignInContext = { device: Device; formerSecret?: string | undefined };

/**
 * `onAccount`: called with the ID of the account that someone tries to sign in to, even if the password or code is
 * wrong. `onLastAttempt`: called if the account will refuse further attempts for a while unless this one succeeds. Not
 * called if only a known device is locked.
 */
export type AccountObserver = {
  onAccount?: ((userId: string) => void) | undefined;
  onLastAttempt?: (() => void) | undefined;
};

export type SignInResult = { user: UserRow; secret: string; deviceSecret: string; isNewDevice: boolean };

/**
 * Opens a session on a device and remembers the device. Ends the former session to prevent session fixation. If the
 * account has too many sessions, ends the oldest ones.
 */
export async function startSession(
  tx: Tx,
  { userId, device, formerSecret, lifeS }: SignInContext & { userId: string; lifeS: number },
) {
  const deviceSecret = device.secret ?? createSessionSecret();
  if (formerSecret !== undefined) await deleteSession(tx, hashSessionSecret(formerSecret));
  const { isNew, seenAt } = await upsertDevice(tx, {
    userId,
    secretHash: hashSessionSecret(deviceSecret),
    userAgent: truncateUserAgent(device),
  });
  const secret = await createSession(tx, { userId, device: { ...device, secret: deviceSecret }, lifeS });
  if (isNew) await deleteOldestDevices(tx, userId, limits.devices);
  if ((await deleteOldestSessions(tx, userId, limits.sessions)) > 0) reportLimit('account_sessions');
  return { secret, deviceSecret, newDeviceAt: isNew ? seenAt : undefined };
}

export const truncateUserAgent = (device: Device) => device.userAgent?.slice(0, 300) ?? null;

/** Creates a session for a user. Returns the secret for the cookie. Only a hash of the secret is stored. */
export async function createSession(
  db: DbOrTx,
  { userId, device, lifeS }: { userId: string; device: Device; lifeS: number },
): Promise<string> {
  const secret = createSessionSecret();
  await insertSession(db, {
    idHash: hashSessionSecret(secret),
    userId,
    userAgent: truncateUserAgent(device),
    address: device.address ?? null,
    deviceHash: device.secret === undefined ? null : hashSessionSecret(device.secret),
    expiresAt: afterSeconds(lifeS),
  });
  return secret;
}
