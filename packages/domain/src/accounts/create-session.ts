import { limits } from '@uprez/contracts/limits';
import type { DbOrTx } from '@uprez/db/database';
import { insertSession } from '@uprez/db/queries/sessions';
import { createSessionSecret, hashSessionSecret } from './session-secret.ts';

export type Device = { userAgent: string | undefined; address: string | undefined };

/** Write a session for a user; the answered secret goes into the cookie and is kept nowhere. */
export async function createSession(db: DbOrTx, userId: string, device: Device): Promise<string> {
  const secret = createSessionSecret();
  await insertSession(
    db,
    {
      id_hash: hashSessionSecret(secret),
      user_id: userId,
      user_agent: device.userAgent?.slice(0, 300) ?? null,
      address: device.address ?? null,
    },
    limits.sessionMinutes * 60,
  );
  return secret;
}
