/** Invitations by email. */
export const invitationRoutes = {
  openInvitation: { method: 'POST', path: '/api/invitations/open' },
  acceptInvitation: { method: 'POST', path: '/api/invitations/accept' },
  adminListInvitations: { method: 'GET', path: '/api/admin/invitations' },
  adminInviteUser: { method: 'POST', path: '/api/admin/invitations' },
  adminResendInvitation: { method: 'POST', path: '/api/admin/invitations/:id/resend' },
  adminRevokeInvitation: { method: 'DELETE', path: '/api/admin/invitations/:id' },
} as const;
