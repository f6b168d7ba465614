import { logIn } from '@uprez/domain/accounts/log-in';
import { logOut } from '@uprez/domain/accounts/log-out';
import { registerAccount } from '@uprez/domain/accounts/register-account';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { readSessionSecret, requireUser } from '../http/authenticate.ts';
import { contract } from '../http/contract.ts';
import { sameSitePath } from '../http/same-site-path.ts';
import { clearSessionCookie, setSessionCookie } from '../http/session-cookie.ts';
import { presentUser } from '../presenters/present-user.ts';

const deviceOf = (request: FastifyRequest) => ({ userAgent: request.headers['user-agent'], address: request.ip });

export function registerSessionRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('register'),
    handler: async (request, reply) => {
      const { user, secret } = await registerAccount(deps, { ...request.body, device: deviceOf(request) });
      await setSessionCookie(reply, deps.config, secret);
      return reply.status(201).send(await presentUser(deps, user));
    },
  });
  app.route({
    ...contract('login'),
    handler: async (request, reply) => {
      const { email: login, password } = request.body;
      const { user, secret } = await logIn(deps, { login, password, device: deviceOf(request) });
      await setSessionCookie(reply, deps.config, secret);
      return reply.status(200).send(await presentUser(deps, user));
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
