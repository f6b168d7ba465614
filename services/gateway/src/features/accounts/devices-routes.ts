import { endSession, endSessions, listSessions } from '@uprez/domain/accounts/sessions';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireUser } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import { presentSession } from './present-session.ts';
import { clearSessionCookie } from './session-cookie.ts';

/** Where a user is signed in, and signing out there. */
export function registerDeviceRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('listSessions'),
    handler: async (request, reply) => {
      const user = await requireUser(deps, request);
      const sessions = await listSessions(deps, user.id);
      return reply.status(200).send(sessions.map((session) => presentSession(session, user.sessionId)));
    },
  });
  app.route({
    ...contract('endSession'),
    handler: async (request, reply) => {
      const user = await requireUser(deps, request);
      await endSession(deps, { userId: user.id, sessionId: request.params.id });
      if (request.params.id === user.sessionId) clearSessionCookie(reply, deps.config);
      return reply.status(204).send(null);
    },
  });
  app.route({
    ...contract('endSessions'),
    handler: async (request, reply) => {
      await endSessions(deps, (await requireUser(deps, request)).id);
      clearSessionCookie(reply, deps.config);
      return reply.status(204).send(null);
    },
  });
}
