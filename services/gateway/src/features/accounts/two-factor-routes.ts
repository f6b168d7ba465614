import { disableTwoFactor } from '@uprez/domain/accounts/disable-two-factor';
import { enableTwoFactor } from '@uprez/domain/accounts/enable-two-factor';
import { setUpTwoFactor } from '@uprez/domain/accounts/set-up-two-factor';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { setSessionCookie } from './session-cookie.ts';

/** Two-factor sign-in of the user's own account. */
export function registerTwoFactorRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('setUpTwoFactor'),
    handler: async (request, reply) =>
      reply.status(200).send(await setUpTwoFactor(deps, { user: await requireUser(deps, request), ...request.body })),
  });
  app.route({
    ...contract('enableTwoFactor'),
    handler: async (request, reply) => {
      const user = await requireUser(deps, request);
      const { recoveryCodes, sessionSecret } = await enableTwoFactor(deps, { user, code: request.body.code });
      await setSessionCookie(reply, deps.config, sessionSecret);
      return reply.status(200).send({ recoveryCodes });
    },
  });
  app.route({
    ...contract('disableTwoFactor'),
    handler: async (request, reply) => {
      const secret = await disableTwoFactor(deps, { user: await requireUser(deps, request), ...request.body });
      await setSessionCookie(reply, deps.config, secret);
      return reply.status(204).send(null);
    },
  });
}
