import { createHash } from 'node:crypto';
import { limits } from '@uprez/contracts/policy/limits';
import type { DbOrTx } from '@uprez/db/database';
import { insertPasskeyChallenge, takePasskeyChallenge } from '@uprez/db/queries/accounts/passkeys';

/** The site as browsers know it. `id`: the host name that its passkeys are bound to. */
export type RelyingParty = { id: string; origins: string[] };

/** Imported on first use: most processes never need it. */
export const loadWebAuthn = () => import('@simplewebauthn/server');

const hashChallenge = (challenge: string) => createHash('sha256').update(challenge).digest();

/** Store the challenge of a registration by a user, or of a sign-in. */
export const saveChallenge = (db: DbOrTx, { challenge, userId }: { challenge: string; userId: string | null }) =>
  insertPasskeyChallenge(db, {
    challengeHash: hashChallenge(challenge),
    userId,
    lifeS: limits.passkeyChallengeMinutes * 60,
  });

/** Make a function that uses up the signed challenge, and tells whether it was valid for this purpose. */
export const challengeTaker = (db: DbOrTx, userId: string | null) => async (challenge: string) =>
  (await takePasskeyChallenge(db, { challengeHash: hashChallenge(challenge), userId })) !== undefined;

/** The ID that authenticators store with a passkey, and return when it is used. */
export const userHandle = (userId: string) => new Uint8Array(Buffer.from(userId));
