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
 * The user of a session, with the session's id. `view`: of an administrator's session that reads as that user. `ended`: the
 * view is over, but the browser still shows the other account; the user is the administrator.
 */
export type SignedInUser = SessionUser & { view?: ActiveView | 'ended' };

/** Renewing on every request would write once a request; once a minute keeps the rolling expiry true enough. */
const renewAfterS = 60;

/** The user behind a session secret; undefined when the session is unknown, ended or expired. */
export async function findSessionUser(
  ctx: Needs<'db' | 'settings'>,
  secret: string,
): Promise<SignedInUser | undefined> {
  const idHash = hashSessionSecret(secret);
  const lifeS = await sessionLifeS(ctx);
  const row = await findRow(ctx.db, idHash, lifeS);
  if (row && row.idleS > renewAfterS) await touchSession(ctx.db, idHash, lifeS);
  return row?.viewAsId ? resolveView(ctx, row, row.viewAsId) : row;
}

export type Session = SessionRow;

/** The sessions of a user that are still alive, the newest first. */
export const listSessions = async (ctx: Needs<'db' | 'settings'>, userId: string): Promise<SessionRow[]> =>
  listUserSessions(ctx.db, userId, await sessionLifeS(ctx));

/** Sign a user out on one device. Throws `session_not_found`, also for another user's session. */
export async function endSession(ctx: Needs<'db'>, { userId, sessionId }: { userId: string; sessionId: string }) {
  if (!isUuid(sessionId) || !(await deleteUserSession(ctx.db, userId, sessionId)))
    throw new AppError('session_not_found');
}

export const endSessions = (ctx: Needs<'db'>, userId: string) => deleteUserSessions(ctx.db, userId);

/** Of the session that made a call. */
export type OwnSession = Pick<SessionUser, 'id' | 'sessionId' | 'sessionHash'>;

/** End the other sessions and give this one a new secret. Throws `not_signed_in` when it has ended meanwhile. */
export async function endOtherSessions(tx: Tx, { id, sessionId, sessionHash }: OwnSession): Promise<string> {
  const secret = createSessionSecret();
  if (!(await changeSessionSecret(tx, sessionHash, hashSessionSecret(secret)))) throw new AppError('not_signed_in');
  await deleteOtherSessions(tx, id, sessionId);
  return secret;
}

/** End a session; it is dead from the next request on. */
export const logOut = (ctx: Needs<'db'>, secret: string) => deleteSession(ctx.db, hashSessionSecret(secret));

/** Seconds without a request after which a session ends, as administrators have set it. */
export const sessionLifeS = async (ctx: Needs<'settings'>): Promise<number> =>
  (await ctx.settings.read('security')).sessionTimeout * 60;

/** 256 random bits, as the cookie carries them. */
export const createSessionSecret = () => randomBytes(32).toString('base64url');
export const hashSessionSecret = (secret: string) => createHash('sha256').update(secret).digest();

/** The device of a request. `secret`: of its long-lived cookie. */
export type Device = { userAgent: string | undefined; address: string | undefined; secret?: string | undefined };

/** `formerSecret`: of the session that the request came with; it ends. */
export type Browser = { device: Device; formerSecret?: string | undefined };

/**
 * `onAccount`: called with the ID of the account that a proof is for, also if the proof is wrong. `onLastAttempt`: called if
 * the account refuses further attempts for a while unless the proof is right. Not called if only a known device is refused.
 */
export type AccountObserver = {
  onAccount?: ((userId: string) => void) | undefined;
  onLastAttempt?: (() => void) | undefined;
};

/** A signed-in user, and the secrets that the cookies of session and device carry from now on. */
export type SignedIn = { user: UserRow; secret: string; deviceSecret: string; isNewDevice: boolean };

/**
 * Opens a session on a device and remembers it. Ends the former session, to prevent session fixation, and the oldest ones of
 * an account that has too many.
 */
export async function openAccount(
  tx: Tx,
  { userId, device, formerSecret, lifeS }: Browser & { userId: string; lifeS: number },
) {
  const deviceSecret = device.secret ?? createSessionSecret();
  if (formerSecret !== undefined) await deleteSession(tx, hashSessionSecret(formerSecret));
  const { isNew, seenAt } = await upsertDevice(tx, {
    userId,
    secretHash: hashSessionSecret(deviceSecret),
    userAgent: keptUserAgent(device),
  });
  const secret = await createSession(tx, { userId, device: { ...device, secret: deviceSecret }, lifeS });
  if (isNew) await deleteOldestDevices(tx, userId, limits.devices);
  if ((await deleteOldestSessions(tx, userId, limits.sessions)) > 0) reportLimit('account_sessions');
  return { secret, deviceSecret, newDeviceAt: isNew ? seenAt : undefined };
}

/** As much of a browser's name for itself as is worth keeping. */
export const keptUserAgent = (device: Device) => device.userAgent?.slice(0, 300) ?? null;

/** Write a session for a user; the answered secret goes into the cookie and is kept nowhere. */
export async function createSession(
  db: DbOrTx,
  { userId, device, lifeS }: { userId: string; device: Device; lifeS: number },
): Promise<string> {
  const secret = createSessionSecret();
  await insertSession(db, {
    idHash: hashSessionSecret(secret),
    userId,
    userAgent: keptUserAgent(device),
    address: device.address ?? null,
    deviceHash: device.secret === undefined ? null : hashSessionSecret(device.secret),
    expiresAt: afterSeconds(lifeS),
  });
  return secret;
}
