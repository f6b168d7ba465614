import { answers } from '@uprez/contracts/texts/answers';
import { changeEmail, resendVerification, verifyEmail } from '@uprez/domain/accounts/change-email';
import { changePassword, forgotPassword, resetPassword } from '@uprez/domain/accounts/reset-password';
import { disableTwoFactor, enableTwoFactor, setUpTwoFactor } from '@uprez/domain/accounts/two-factor';
import { updateProfile } from '@uprez/domain/accounts/update-profile';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import type { Dialect } from '../dialect.ts';
import { readDevice, setDeviceCookie, setSessionCookie } from './cookies.ts';
import { presentUser } from './present-user.ts';

/** The profile, the password, and the email address of an account. */
export function registerAccountRoutes({ route }: Dialect, deps: Deps): void {
  route('updateProfile', async (request) => {
    const user = await updateProfile(deps, { user: await requireUser(deps, request), ...request.body });
    return presentUser(deps, user);
  });
  route('changePassword', async (request, reply) => {
    const secret = await changePassword(deps, { user: await requireUser(deps, request), ...request.body });
    await setSessionCookie(reply, deps.config, secret);
    return { message: answers.passwordChanged };
  });
  route('changeEmail', async (request, reply) => {
    await changeEmail(deps, { user: await requireUser(deps, request), ...request.body });
    return reply.status(202).send({ message: answers.emailChangeAsked });
  });
  route('forgotPassword', async (request) => {
    await forgotPassword(deps, request.body.email);
    return { message: answers.resetAsked };
  });
  route('resetPassword', async (request, reply) => {
    const device = readDevice(request, deps.config);
    setDeviceCookie(reply, deps.config, await resetPassword(deps, { ...request.body, device }));
    return { message: answers.passwordReset };
  });
  route('verifyEmail', async (request) => {
    await verifyEmail(deps, request.body.token);
    return { message: answers.emailConfirmed };
  });
  route('resendVerification', async (request) => ({
    message: await resendVerification(deps, (await requireUser(deps, request)).id),
  }));
}

/** Two-factor authentication of the user's own account. */
export function registerTwoFactorRoutes({ route }: Dialect, deps: Deps): void {
  route('setUpTwoFactor', async (request) =>
    setUpTwoFactor(deps, { user: await requireUser(deps, request), ...request.body }),
  );
  route('enableTwoFactor', async (request, reply) => {
    const user = await requireUser(deps, request);
    const { recoveryCodes, sessionSecret } = await enableTwoFactor(deps, { user, code: request.body.code });
    await setSessionCookie(reply, deps.config, sessionSecret);
    return { recoveryCodes };
  });
  route('disableTwoFactor', async (request, reply) => {
    const secret = await disableTwoFactor(deps, { user: await requireUser(deps, request), ...request.body });
    await setSessionCookie(reply, deps.config, secret);
    return reply.status(204).send(null);
  });
}
