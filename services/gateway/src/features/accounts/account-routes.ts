import { answers } from '@uprez/contracts/texts/answers';
import { changeEmail } from '@uprez/domain/accounts/change-email';
import { changePassword } from '@uprez/domain/accounts/change-password';
import { forgotPassword } from '@uprez/domain/accounts/forgot-password';
import { resendVerification } from '@uprez/domain/accounts/resend-verification';
import { resetPassword } from '@uprez/domain/accounts/reset-password';
import { updateProfile } from '@uprez/domain/accounts/update-profile';
import { verifyEmail } from '@uprez/domain/accounts/verify-email';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { readDevice, setDeviceCookie } from './device-cookie.ts';
import { presentUser } from './present-user.ts';
import { setSessionCookie } from './session-cookie.ts';

/** What the links in mails do, and what users change of themselves. */
export function registerAccountRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('updateProfile'),
    handler: async (request, reply) => {
      const user = await updateProfile(deps, { user: await requireUser(deps, request), ...request.body });
      return reply.status(200).send(await presentUser(deps, user));
    },
  });
  app.route({
    ...contract('changePassword'),
    handler: async (request, reply) => {
      const secret = await changePassword(deps, { user: await requireUser(deps, request), ...request.body });
      await setSessionCookie(reply, deps.config, secret);
      return reply.status(200).send({ message: answers.passwordChanged });
    },
  });
  app.route({
    ...contract('changeEmail'),
    handler: async (request, reply) => {
      await changeEmail(deps, { user: await requireUser(deps, request), ...request.body });
      return reply.status(202).send({ message: answers.emailChangeAsked });
    },
  });
  app.route({
    ...contract('forgotPassword'),
    handler: async (request, reply) => {
      await forgotPassword(deps, request.body.email);
      return reply.status(200).send({ message: answers.resetAsked });
    },
  });
  app.route({
    ...contract('resetPassword'),
    handler: async (request, reply) => {
      const device = readDevice(request, deps.config);
      setDeviceCookie(reply, deps.config, await resetPassword(deps, { ...request.body, device }));
      return reply.status(200).send({ message: answers.passwordReset });
    },
  });
  app.route({
    ...contract('verifyEmail'),
    handler: async (request, reply) => {
      await verifyEmail(deps, request.body.token);
      return reply.status(200).send({ message: answers.emailConfirmed });
    },
  });
  app.route({
    ...contract('resendVerification'),
    handler: async (request, reply) => {
      const { id } = await requireUser(deps, request);
      return reply.status(200).send({ message: await resendVerification(deps, id) });
    },
  });
}
