import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { PasskeyView } from '@uprez/contracts/schemas/passkeys';
import type { User } from '@uprez/contracts/schemas/user';
import { api } from '../api/api.ts';
import { ShownError } from '../api/api-errors.ts';
import { passkeyMessages } from './passkey-support.ts';

const text = passkeyMessages;

/**
 * Returns an error handler that throws a specific message if the user can fix the error, and `otherwise` if not.
 * Browsers don't report the cause of most other errors.
 */
const rethrowAs =
  (otherwise: string) =>
  (error: unknown): never => {
    const code = error instanceof WebAuthnError ? error.code : undefined;
    if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') throw new ShownError(text.known);
    if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID') throw new ShownError(text.wrongAddress);
    throw new ShownError(otherwise, { cause: error });
  };

export async function signInWithPasskey(): Promise<User> {
  const options = (await api.startPasskeySignIn()).data as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON: options }).catch(rethrowAs(text.canceled));
  return (await api.signInWithPasskey({ body: { response } })).data;
}

type NewPasskey = { name: string; password: string; code?: string | undefined };

export async function addPasskey({ name, ...proof }: NewPasskey): Promise<PasskeyView> {
  const { data } = await api.startPasskeyRegistration({ body: proof });
  const options = data as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await startRegistration({ optionsJSON: options }).catch(rethrowAs(text.notAdded));
  return (await api.registerPasskey({ body: { name, response } })).data;
}
