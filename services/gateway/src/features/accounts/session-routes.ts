import { toNextPath } from '@uprez/contracts/policy/next-path';
import type { SessionView } from '@uprez/contracts/schemas/account';
import { logIn } from '@uprez/domain/accounts/log-in';
import { registerAccount } from '@uprez/domain/accounts/register-account';
import {
  endSession,
  endSessions,
  listSessions,
  logOut,
  type Session,
  type SignInResult,
} from '@uprez/domain/accounts/sessions';
import { endView } from '@uprez/domain/accounts/views/account-views';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { readSessionSecret, requireUser } from '../../http/authenticate.ts';
import { defineHandlers, type Handler } from '../../http/contract.ts';
import { makeAccountCallbacks, noteAccess } from '../../http/record-requests.ts';
import { clearSessionCookie, readDevice, setDeviceCookie, setSessionCookie } from './cookies.ts';
import { presentUser, presentViewedUser } from './present-user.ts';

export const sessionHandlers = (deps: Deps) => {
  const getUser: Handler<'user'> = async (request) => {
    const user = await requireUser(deps, request);
    if (user.view === 'ended') await endView(deps, user);
    return presentViewedUser(deps, user);
  };
  return defineHandlers({
    register: async (request, reply) => {
      const signedIn = await registerAccount(deps, { ...request.body, ...(await readDeviceAndSession(request, deps)) });
      await setSignInCookies(reply, deps, signedIn);
      return reply.status(201).send(await presentUser(deps, signedIn.user));
    },
    login: async (request, reply) => {
      const { email: login, ...proof } = request.body;
      const browser = await readDeviceAndSession(request, deps);
      const signedIn = await logIn(deps, { login, ...proof, ...browser, ...makeAccountCallbacks(request) });
      await setSignInCookies(reply, deps, signedIn);
      return presentUser(deps, signedIn.user);
    },
    loginPage: (request, reply) => {
      const { next, tab } = request.query;
      const page = `/auth?next=${encodeURIComponent(toNextPath(next))}`;
      return reply.redirect(tab ? `${page}&tab=${tab}` : page, 302);
    },
    user: getUser,
    authUser: getUser,
    logout: async (request, reply) => {
      const secret = await readSessionSecret(request);
      if (secret) await logOut(deps, secret);
      clearSessionCookie(reply, deps.config);
      return reply.status(204).send(null);
    },
  });
};

export const deviceHandlers = (deps: Deps) =>
  defineHandlers({
    listSessions: async (request) => {
      const user = await requireUser(deps, request);
      return (await listSessions(deps, user.id)).map((session) => presentSession(session, user.sessionId));
    },
    endSession: async (request, reply) => {
      const user = await requireUser(deps, request);
      await endSession(deps, { userId: user.id, sessionId: request.params.id });
      if (request.params.id === user.sessionId) clearSessionCookie(reply, deps.config);
      return reply.status(204).send(null);
    },
    endSessions: async (request, reply) => {
      await endSessions(deps, (await requireUser(deps, request)).id);
      clearSessionCookie(reply, deps.config);
      return reply.status(204).send(null);
    },
  });

/** Returns the device that a request came from, and the secret of its current session, if any. */
export const readDeviceAndSession = async (request: FastifyRequest, { config }: Deps) => ({
  device: readDevice(request, config),
  formerSecret: await readSessionSecret(request),
});

export async function setSignInCookies(reply: FastifyReply, { config }: Deps, signedIn: SignInResult): Promise<void> {
  const { user, secret, deviceSecret, isNewDevice } = signedIn;
  noteAccess(reply.request, { userId: user.id, isNewDevice });
  await setSessionCookie(reply, config, secret);
  setDeviceCookie(reply, config, deviceSecret);
}

const presentSession = (session: Session, currentId: string): SessionView => ({
  id: session.id,
  isCurrent: session.id === currentId,
  userAgent: session.userAgent,
  address: session.address,
  createdAt: session.createdAt.toISOString(),
  lastSeenAt: session.lastSeenAt.toISOString(),
});
