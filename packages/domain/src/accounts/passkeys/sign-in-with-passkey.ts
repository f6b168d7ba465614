import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { PasskeyResponse } from '@uprez/contracts/schemas/passkeys';
import { findPasskey, type PasskeyRow, touchPasskey } from '@uprez/db/queries/accounts/passkeys';
import { findUser, lockUser } from '@uprez/db/queries/accounts/users';
import type { Needs } from '../../context.ts';
import { countGuess, passkeySubject, refundGuess } from '../guesses.ts';
import { queueNewDeviceMail } from '../log-in.ts';
import {
  type AccountObserver,
  readSessionLifeS,
  type SignInContext,
  type SignInResult,
  startSession,
} from '../sessions.ts';
import { loadWebAuthn, makeChallengeVerifier, type RelyingParty, saveChallenge, toUserHandle } from './passkeys.ts';

/**
 * Returns options for signing in with a passkey in the browser. They don't name an account, which lets the browser
 * offer all of its passkeys for this site.
 */
export async function startPasskeySignIn(ctx: Needs<'db'>, { site }: { site: RelyingParty }) {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    timeout: limits.passkeyChallengeMinutes * 60_000,
    userVerification: 'required',
  });
  await saveChallenge(ctx.db, { challenge: options.challenge, userId: null });
  return options;
}

export type PasskeySignIn = SignInContext & AccountObserver & { site: RelyingParty; response: PasskeyResponse };

/**
 * Signs a user in with a passkey. Doesn't ask for a two-factor code, because the authenticator has verified the user.
 * Throws `bad_passkey` (even for unknown passkeys), `too_many_attempts`, or `account_suspended`.
 */
export async function signInWithPasskey(ctx: Needs<'db' | 'settings'>, input: PasskeySignIn): Promise<SignInResult> {
  const passkey = await findPasskey(ctx.db, Buffer.from(input.response.id, 'base64url'));
  if (!passkey) throw new AppError('bad_passkey');
  const { userId } = passkey;
  input.onAccount?.(userId);
  const subject = passkeySubject(userId);
  await countGuess(ctx, subject, input.onLastAttempt);
  const counter = await verifyPasskey(ctx, { ...input, passkey });
  await refundGuess(ctx.db, subject);
  const user = await findUser(ctx.db, userId);
  if (user && user.suspendedAt !== null) throw new AppError('account_suspended');
  const lifeS = await readSessionLifeS(ctx);
  return ctx.db.transaction().execute(async (tx) => {
    const locked = await lockUser(tx, userId);
    const isStored = await touchPasskey(tx, { id: passkey.id, counter });
    // Since the checks above, the passkey or its account may have been deleted, or the account suspended.
    if (!locked || !isStored || locked.suspendedAt !== null) throw new AppError('bad_passkey');
    const { newDeviceAt, ...secrets } = await startSession(tx, { ...input, userId, lifeS });
    if (newDeviceAt) await queueNewDeviceMail(tx, { userId, device: input.device, at: newDeviceAt });
    return { user: locked, ...secrets, isNewDevice: newDeviceAt !== undefined };
  });
}

type VerifyInput = Pick<PasskeySignIn, 'site' | 'response'> & { passkey: PasskeyRow };

/** Returns the new signature counter. Throws `bad_passkey`. */
async function verifyPasskey(ctx: Needs<'db'>, { site, response, passkey }: VerifyInput): Promise<number> {
  const handle = response.response.userHandle;
  if (handle !== undefined && handle !== Buffer.from(toUserHandle(passkey.userId)).toString('base64url'))
    throw new AppError('bad_passkey');
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: makeChallengeVerifier(ctx.db, null),
    expectedOrigin: site.origins,
    expectedRPID: site.id,
    credential: {
      id: passkey.credentialId.toString('base64url'),
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new AppError('bad_passkey', { cause });
  });
  if (!verified) throw new AppError('bad_passkey');
  return authenticationInfo.newCounter;
}
