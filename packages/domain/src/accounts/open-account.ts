import type { DbOrTx, Tx } from '@uprez/db/database';
import { upsertDevice } from '@uprez/db/queries/accounts/devices';
import { deleteSession, insertSession } from '@uprez/db/queries/accounts/sessions';
import type { UserRow } from '@uprez/db/queries/accounts/users';
import { createSessionSecret, hashSessionSecret } from './sessions.ts';

/** `formerSecret`: of the session that the request came with. */
export type Entry = { userId: string; device: Device; formerSecret: string | undefined; lifeS: number };

/** A signed-in user, and the secrets that the cookies of session and device carry from now on. */
export type SignedIn = { user: UserRow; secret: string; deviceSecret: string };

/** `newDeviceAt`: when, if the device is new to the account. */
export type Entered = Omit<SignedIn, 'user'> & { newDeviceAt: Date | undefined };

/** Open a session on a device and remember the device. Ends the former session, to prevent session fixation. */
export async function openAccount(tx: Tx, { userId, device, formerSecret, lifeS }: Entry): Promise<Entered> {
  const deviceSecret = device.secret ?? createSessionSecret();
  if (formerSecret !== undefined) await deleteSession(tx, hashSessionSecret(formerSecret));
  const { isNew, seenAt } = await upsertDevice(tx, {
    userId: userId,
    secretHash: hashSessionSecret(deviceSecret),
    userAgent: keptUserAgent(device),
  });
  const secret = await createSession(tx, { userId, device: { ...device, secret: deviceSecret }, lifeS });
  return { secret, deviceSecret, newDeviceAt: isNew ? seenAt : undefined };
}

/** The device of a request. `secret`: of its long-lived cookie. */
export type Device = { userAgent: string | undefined; address: string | undefined; secret?: string | undefined };

export type NewSession = { userId: string; device: Device; lifeS: number };

/** As much of a browser's name for itself as is worth keeping. */
export const keptUserAgent = (device: Device) => device.userAgent?.slice(0, 300) ?? null;

/** Write a session for a user; the answered secret goes into the cookie and is kept nowhere. */
export async function createSession(db: DbOrTx, { userId, device, lifeS }: NewSession): Promise<string> {
  const secret = createSessionSecret();
  await insertSession(
    db,
    {
      idHash: hashSessionSecret(secret),
      userId: userId,
      userAgent: keptUserAgent(device),
      address: device.address ?? null,
      deviceHash: device.secret === undefined ? null : hashSessionSecret(device.secret),
    },
    lifeS,
  );
  return secret;
}
