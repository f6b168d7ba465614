import type { DbOrTx } from '@uprez/db/database';
import { insertSession } from '@uprez/db/queries/sessions';
import { createSessionSecret, hashSessionSecret } from './session-secret.ts';

export type Device = { userAgent: string | undefined; address: string | undefined };

export type NewSession = { userId: string; device: Device; lifeS: number };

/** Write a session for a user; the answered secret goes into the cookie and is kept nowhere. */
export async function createSession(db: DbOrTx, { userId, device, lifeS }: NewSession): Promise<string> {
  const secret = createSessionSecret();
  await insertSession(
    db,
    {
      id_hash: hashSessionSecret(secret),
      user_id: userId,
      user_agent: device.userAgent?.slice(0, 300) ?? null,
      address: device.address ?? null,
    },
    lifeS,
  );
  return secret;
}
