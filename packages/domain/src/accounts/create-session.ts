import type { DbOrTx } from '@uprez/db/database';
import { insertSession } from '@uprez/db/queries/accounts/sessions';
import { createSessionSecret, hashSessionSecret } from './session-secret.ts';

/** What a request says of the browser it comes from. `secret`: of its long-lived cookie. */
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
