import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { NewPasskeyResponse } from '@uprez/contracts/schemas/passkeys';
import type { DbOrTx } from '@uprez/db/database';
import {
  deletePasskey as deleteRow,
  insertPasskey,
  insertPasskeyChallenge,
  listPasskeys as listRows,
  type PasskeyRow,
  renamePasskey as renameRow,
  takePasskeyChallenge,
} from '@uprez/db/queries/accounts/passkeys';
import { lockUser, type UserRow } from '@uprez/db/queries/accounts/users';
import { uuidv7 } from 'uuidv7';
import { getByUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { type OwnerProof, proveOwner } from '../prove-owner.ts';

type RegistrationInput = { user: UserRow; site: RelyingParty };

/**
 * Returns options for creating a passkey in the browser. The authenticator must verify the user with a PIN or
 * fingerprint, because a passkey counts as two factors. Throws `email_unverified`, `passkey_limit`, and the errors of
 * `proveOwner`.
 */
export async function startPasskeyRegistration(
  ctx: Needs<'db' | 'settings' | 'vault'>,
  { user, site, ...proof }: RegistrationInput & OwnerProof,
) {
  if (!user.emailVerified) throw new AppError('email_unverified');
  await proveOwner(ctx, { user, ...proof });
  const known = await listRows(ctx.db, user.id);
  if (known.length >= limits.passkeys) throw new AppError('passkey_limit');
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: (await ctx.settings.read('site')).siteName,
    rpID: site.id,
    userID: toUserHandle(user.id),
    userName: user.email,
    timeout: limits.passkeyChallengeMinutes * 60_000,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await saveChallenge(ctx.db, { challenge: options.challenge, userId: user.id });
  return options;
}

type NewPasskey = RegistrationInput & { name: string; response: NewPasskeyResponse };

/**
 * Stores a passkey that a browser created, and emails the owner. Throws `bad_passkey`, `passkey_limit`, or
 * `not_signed_in`.
 */
export async function registerPasskey(ctx: Needs<'db'>, { user, name, ...created }: NewPasskey): Promise<PasskeyRow> {
  const { credential } = await verifyNewPasskey(ctx, { user, ...created });
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockUser(tx, user.id))) throw new AppError('not_signed_in');
    if ((await listRows(tx, user.id)).length >= limits.passkeys) throw new AppError('passkey_limit');
    const passkey = await insertPasskey(tx, {
      id: uuidv7(),
      userId: user.id,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: [...(credential.transports ?? [])],
      name,
    });
    if (!passkey) throw new AppError('bad_passkey');
    const at = passkey.createdAt.toISOString();
    await queueMail(tx, user.id, { mail: 'passkey_changed', name, isAdded: true, at });
    return passkey;
  });
}

async function verifyNewPasskey(ctx: Needs<'db'>, { user, site, response }: Omit<NewPasskey, 'name'>) {
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const verified = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: makeChallengeVerifier(ctx.db, user.id),
    expectedOrigin: site.origins,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new AppError('bad_passkey', { cause });
  });
  if (!verified.verified) throw new AppError('bad_passkey');
  return verified.registrationInfo;
}

/** The site as a WebAuthn relying party. `id`: the hostname that the site's passkeys are bound to. */
export type RelyingParty = { id: string; origins: string[] };

/** Imports the WebAuthn library on first use, because most processes never need it. */
export const loadWebAuthn = () => import('@simplewebauthn/server');

const hashChallenge = (challenge: string) => createHash('sha256').update(challenge).digest();

/** Stores the challenge for a user's registration. If `userId` is null, the challenge is for a sign-in. */
export const saveChallenge = (db: DbOrTx, { challenge, userId }: { challenge: string; userId: string | null }) =>
  insertPasskeyChallenge(db, {
    challengeHash: hashChallenge(challenge),
    userId,
    lifeS: limits.passkeyChallengeMinutes * 60,
  });

/**
 * Returns a function that checks a signed challenge. It consumes the challenge and returns whether it was valid for
 * this user's registration, or for a sign-in if `userId` is null.
 */
export const makeChallengeVerifier = (db: DbOrTx, userId: string | null) => async (challenge: string) =>
  (await takePasskeyChallenge(db, { challengeHash: hashChallenge(challenge), userId })) !== undefined;

/** Returns the user ID in the form that authenticators store with a passkey and send back at sign-in. */
export const toUserHandle = (userId: string) => new Uint8Array(Buffer.from(userId));

export type Passkey = PasskeyRow;
type OwnPasskey = { userId: string; id: string };

/** Returns a user's passkeys, oldest first. */
export const listPasskeys = (ctx: Needs<'db'>, userId: string): Promise<Passkey[]> => listRows(ctx.db, userId);

/** Renames a passkey. Throws `passkey_not_found` if the passkey doesn't exist or belongs to another user. */
export async function renamePasskey(ctx: Needs<'db'>, input: OwnPasskey & { name: string }): Promise<Passkey> {
  return getByUuid(input.id, () => renameRow(ctx.db, input), 'passkey_not_found');
}

/** Deletes a passkey and emails its owner. Sessions stay active. Throws `passkey_not_found`. */
export async function deletePasskey(ctx: Needs<'db'>, { userId, id }: OwnPasskey): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const deleted = await getByUuid(id, () => deleteRow(tx, { userId, id }), 'passkey_not_found');
    const at = new Date().toISOString();
    await queueMail(tx, userId, { mail: 'passkey_changed', name: deleted.name, isAdded: false, at });
  });
}
