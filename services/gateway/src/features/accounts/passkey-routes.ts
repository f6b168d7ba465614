import type { PasskeyView } from '@uprez/contracts/schemas/passkeys';
import {
  deletePasskey,
  listPasskeys,
  type Passkey,
  registerPasskey,
  renamePasskey,
  startPasskeyRegistration,
} from '@uprez/domain/accounts/passkeys/passkeys';
import { signInWithPasskey, startPasskeySignIn } from '@uprez/domain/accounts/passkeys/sign-in-with-passkey';
import { requireStepUp } from '@uprez/domain/accounts/step-up';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { makeAccountCallbacks } from '../../http/record-requests.ts';
import { lookUpSecret } from '../../http/request-callers.ts';
import { presentUser } from './present-user.ts';
import { readDeviceAndSession, setSignInCookies } from './session-routes.ts';

export const passkeyHandlers = (deps: Deps) => {
  const { config } = deps;
  return defineHandlers({
    startPasskeySignIn: async (request) => startPasskeySignIn(deps, { site: siteOf(config, request) }),
    signInWithPasskey: async (request, reply) => {
      const site = siteOf(config, request);
      const { response } = request.body;
      const browser = await readDeviceAndSession(request, deps);
      const find = () => signInWithPasskey(deps, { site, response, ...browser, ...makeAccountCallbacks(request) });
      const signInResult = await lookUpSecret(request, { sort: 'passkey', secret: JSON.stringify(response), find });
      await setSignInCookies(reply, deps, signInResult);
      return presentUser(deps, signInResult.user);
    },
    startPasskeyRegistration: async (request) => {
      const user = await requireUser(deps, request);
      return startPasskeyRegistration(deps, { user, site: siteOf(config, request), ...request.body });
    },
    registerPasskey: async (request, reply) => {
      const user = await requireUser(deps, request);
      const passkey = await registerPasskey(deps, { user, site: siteOf(config, request), ...request.body });
      return reply.status(201).send(presentPasskey(passkey));
    },
    listPasskeys: async (request) =>
      (await listPasskeys(deps, (await requireUser(deps, request)).id)).map(presentPasskey),
    renamePasskey: async (request) => {
      const { id: userId } = await requireUser(deps, request);
      return presentPasskey(await renamePasskey(deps, { userId, id: request.params.id, name: request.body.name }));
    },
    deletePasskey: async (request, reply) => {
      const user = await requireUser(deps, request);
      requireStepUp(user);
      await deletePasskey(deps, { userId: user.id, id: request.params.id });
      return reply.status(204).send(null);
    },
  });
};

/**
 * Returns the ID and the origins of the site that passkeys are bound to. If the public URL is on `localhost`, also
 * allows the request's own origin, because a development server such as Vite's may serve the pages on another port.
 */
function siteOf({ PUBLIC_URL }: Pick<Deps['config'], 'PUBLIC_URL'>, { headers }: FastifyRequest) {
  const { hostname, origin } = new URL(PUBLIC_URL);
  const own = headers.origin;
  const isLocal = hostname === 'localhost' && own !== undefined && new URL(own).hostname === hostname;
  return { id: hostname, origins: isLocal ? [origin, own] : [origin] };
}

const presentPasskey = ({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
