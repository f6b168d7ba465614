import * as z from 'zod';
import { tokenBodySchema } from '../../schemas/account.ts';
import {
  acceptInvitationBodySchema,
  invitationSchema,
  invitationsQuerySchema,
  inviteBodySchema,
  openedInvitationSchema,
} from '../../schemas/admin/invitations.ts';
import { plainExportSchema } from '../../schemas/admin/table.ts';
import { userSchema } from '../../schemas/user.ts';
import { defineAdminEndpoints, defineEndpoints, emptySchema, exportOf } from '../endpoint.ts';

const changeErrors = ['invitation_not_found'] as const;

/**
 * Endpoints for inviting people by email. An invitation with a role also requires `roles.manage`. Link tokens are sent
 * in the body, because paths are logged.
 */
export const invitationEndpoints = {
  ...defineEndpoints('none', {
    openInvitation: {
      route: 'POST /api/invitations/open',
      body: tokenBodySchema,
      answers: { 200: openedInvitationSchema },
      errors: ['invalid_token'],
    },
    acceptInvitation: {
      route: 'POST /api/invitations/accept',
      body: acceptInvitationBodySchema,
      answers: { 201: userSchema },
      errors: ['invalid_token', 'link_held', 'password_too_short', 'password_too_common', 'email_taken'],
    },
  }),
  ...defineAdminEndpoints({
    adminListInvitations: {
      route: 'GET /api/admin/invitations',
      permission: 'users.manage',
      query: invitationsQuerySchema,
      answers: { 200: z.array(invitationSchema) },
    },
    adminExportInvitations: {
      route: 'GET /api/admin/invitations/export',
      permission: 'users.manage',
      ...exportOf(plainExportSchema),
    },
    adminInviteUser: {
      route: 'POST /api/admin/invitations',
      permission: 'users.manage',
      stepUp: true,
      body: inviteBodySchema,
      answers: { 201: invitationSchema },
      errors: ['email_taken', 'invitation_exists', 'rate_limited'],
    },
    adminResendInvitation: {
      route: 'POST /api/admin/invitations/:id/resend',
      permission: 'users.manage',
      answers: { 200: invitationSchema },
      errors: [...changeErrors, 'rate_limited'],
    },
    adminRevokeInvitation: {
      route: 'DELETE /api/admin/invitations/:id',
      permission: 'users.manage',
      answers: { 204: emptySchema },
      errors: changeErrors,
    },
  }),
};
