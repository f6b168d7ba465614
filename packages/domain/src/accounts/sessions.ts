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
 * The user of a session, with the session's ID. `view`: set if an administrator's session reads as that user. `ended`:
 * the view is over, but the browser still shows the other account; the user is the administrator.
 */
export type SignedInUser = SessionUser & { view?: ActiveView | 'ended' };

/**
 * Minimum seconds between renewals. Once a minute keeps the rolling expiration accurate enough without a write per
 * request.
 */
const renewAfterS = 60;

/** Returns the user for a session secret. Undefined if the session is unknown, ended, or expired. */
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

/** Signs a user out on one device. Throws `session_not_found`, even for another user's session. */
export async function endSession(ctx: Needs<'db'>, { userId, sessionId }: { userId: string; sessionId: string }) {
  if (!isUuid(sessionId) || !(await deleteUserSession(ctx.db, userId, sessionId)))
    throw new AppError('session_not_found');
}

export const endSessions = (ctx: Needs<'db'>, userId: string) => deleteUserSessions(ctx.db, userId);

/** Identifies the session that made a call. */
export type OwnSession = Pick<SessionUser, 'id' | 'sessionId' | 'sessionHash'>;

/** Ends the other sessions and gives this one a new secret. Throws `not_signed_in` if it has ended in the meantime. */
export async function endOtherSessions(tx: Tx, { id, sessionId, sessionHash }: OwnSession): Promise<string> {
  const secret = createSessionSecret();
  if (!(await changeSessionSecret(tx, sessionHash, hashSessionSecret(secret)))) throw new AppError('not_signed_in');
  await deleteOtherSessions(tx, id, sessionId);
  return secret;
}

/** Ends a session, effective with the next request. */
export const logOut = (ctx: Needs<'db'>, secret: string) => deleteSession(ctx.db, hashSessionSecret(secret));

/** Returns the seconds of inactivity after which a session ends, as set by administrators. */
export const readSessionLifeS = async (ctx: Needs<'settings'>): Promise<number> =>
  (await ctx.settings.read('security')).sessionTimeout * 60;

/** Returns 256 random bits in base64url, as stored in the cookie. */
export const createSessionSecret = () => randomBytes(32).toString('base64url');
export const hashSessionSecret = (secret: string) => createHash('sha256').update(secret).digest();

/** The device of a request. `secret`: the secret in the device's long-lived cookie. */
export type Device = { userAgent: string | undefined; address: string | undefined; secret?: string | undefined };

/** `formerSecret`: secret of the session that the request came with, which ends. */
export type SignInContext = { device: Device; formerSecret?: string | undefined };

/**
 * `onAccount`: called with the ID of the account that a proof is for, even if the proof is wrong. `onLastAttempt`:
 * called if the account refuses further attempts for a while unless the proof is right. Not called if only a known
 * device is refused.
 */
export type AccountObserver = {
  onAccount?: ((userId: string) => void) | undefined;
  onLastAttempt?: (() => void) | undefined;
};

/** A signed-in user and the new secrets for the session and device cookies. */
export type SignInResult = { user: UserRow; secret: string; deviceSecret: string; isNewDevice: boolean };

/**
 * Opens a session on a device and remembers the device. Ends the former session, to prevent session fixation, and the
 * oldest sessions of an account that has too many.
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

/** Truncates the user agent to 300 characters for storage. */
export const truncateUserAgent = (device: Device) => device.userAgent?.slice(0, 300) ?? null;

/** Creates a session for a user. Returns the secret for the cookie, which is stored only as a hash. */
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
