import { logIn } from '@uprez/domain/accounts/log-in';
import type { SignedIn } from '@uprez/domain/accounts/open-account';
import { registerAccount } from '@uprez/domain/accounts/register-account';
import { logOut } from '@uprez/domain/accounts/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { readSessionSecret, requireUser } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { readDevice, setDeviceCookie } from './device-cookie.ts';
import { presentUser } from './present-user.ts';
import { sameSitePath } from './same-site-path.ts';
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts';

/** What signing up and signing in need to know beside the body. */
const entryOf = async (request: FastifyRequest, { config }: Deps) => ({
  device: readDevice(request, config),
  formerSecret: await readSessionSecret(request),
});

async function setCookies(reply: FastifyReply, { config }: Deps, { secret, deviceSecret }: SignedIn): Promise<void> {
  await setSessionCookie(reply, config, secret);
  setDeviceCookie(reply, config, deviceSecret);
}

export function registerSessionRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('register'),
    handler: async (request, reply) => {
      const signedIn = await registerAccount(deps, { ...request.body, ...(await entryOf(request, deps)) });
      await setCookies(reply, deps, signedIn);
      return reply.status(201).send(await presentUser(deps, signedIn.user));
    },
  });
  app.route({
    ...contract('login'),
    handler: async (request, reply) => {
      const { email: login, password, code } = request.body;
      const signedIn = await logIn(deps, { login, password, code, ...(await entryOf(request, deps)) });
      await setCookies(reply, deps, signedIn);
      return reply.status(200).send(await presentUser(deps, signedIn.user));
    },
  });
  app.route({
    ...contract('loginPage'),
    handler: (request, reply) =>
      reply.redirect(`/auth?next=${encodeURIComponent(sameSitePath(request.query.next))}`, 302),
  });
  app.route({
    ...contract('logout'),
    handler: async (request, reply) => {
      const secret = await readSessionSecret(request);
      if (secret) await logOut(deps, secret);
      clearSessionCookie(reply, deps.config);
      return reply.status(204).send(null);
    },
  });
  for (const name of ['user', 'authUser'] as const) {
    app.route({
      ...contract(name),
      handler: async (request, reply) =>
        reply.status(200).send(await presentUser(deps, await requireUser(deps, request))),
    });
  }
}
