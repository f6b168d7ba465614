import type { Invitation } from '@uprez/contracts/schemas/admin/invitations';
import { acceptInvitation, getInvitation } from '@uprez/domain/accounts/accept-invitation';
import {
  exportInvitations,
  inviteUser,
  type ListedInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '@uprez/domain/admin/invitations';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { requireAdmin, requireAdminAndId } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/contract.ts';
import { requireSiteOpen } from '../../http/maintenance.ts';
import { rowsOfPage } from '../../http/public-links.ts';
import { lookUpSecret } from '../../http/request-callers.ts';
import { invitationFields } from '../admin/export-columns.ts';
import { presentPages, sendFile } from '../admin/send-export.ts';
import { presentUser } from './present-user.ts';
import { readDeviceAndSession, setSignInCookies } from './session-routes.ts';

export const invitationHandlers = (deps: Deps) =>
  defineHandlers({
    openInvitation: async (request) => {
      const { email, role } = await findInvitation(deps, request, request.body.token);
      await requireSiteOpen(deps, role);
      return { email, role };
    },
    acceptInvitation: async (request, reply) => {
      await requireSiteOpen(deps, (await findInvitation(deps, request, request.body.token)).role);
      const input = { ...request.body, ...(await readDeviceAndSession(request, deps)), requestId: request.id };
      const signedIn = await acceptInvitation(deps, input);
      await setSignInCookies(reply, deps, signedIn);
      return reply.status(201).send(await presentUser(deps, signedIn.user));
    },
    adminListInvitations: async (request, reply) =>
      rowsOfPage(reply, await listInvitations(deps, request.query)).map(presentInvitation),
    adminExportInvitations: async (request, reply) => {
      const pages = presentPages(await exportInvitations(deps), presentInvitation);
      return sendFile(reply, { name: 'invitations', fields: invitationFields, pages, ...request.query });
    },
    adminInviteUser: async (request, reply) => {
      const invitation = await inviteUser(deps, { admin: await requireAdmin(deps, request), ...request.body });
      return reply.status(201).send(presentInvitation(invitation));
    },
    adminResendInvitation: async (request) =>
      presentInvitation(await resendInvitation(deps, await requireAdminAndId(deps, request))),
    adminRevokeInvitation: async (request, reply) => {
      await revokeInvitation(deps, await requireAdminAndId(deps, request));
      return reply.status(204).send(null);
    },
  });

const findInvitation = (deps: Deps, request: FastifyRequest, token: string) =>
  lookUpSecret(request, { sort: 'invitation', secret: token, find: () => getInvitation(deps, token) });

const presentInvitation = ({ id, email, role, inviterEmail, ...times }: ListedInvitation): Invitation => ({
  id,
  email,
  role,
  invitedBy: inviterEmail,
  createdAt: times.createdAt.toISOString(),
  sentAt: times.sentAt.toISOString(),
  expiresAt: times.expiresAt.toISOString(),
});
