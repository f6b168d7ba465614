import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { invitePermission } from '@uprez/contracts/policy/permissions';
import type { Invitation } from '@uprez/contracts/schemas/invitations';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { PagedList } from '../table/paged-list.tsx';
import { usePages } from '../table/use-pages.ts';
import { invitationMessages } from './invitation-messages.ts';
import { type PlainColumn, PlainTable } from './plain-table.tsx';

const text = invitationMessages.list;
const listKey = [adminRoutes.adminListInvitations.path] as const;

const columns: PlainColumn<Invitation>[] = [
  { name: text.email, cell: ({ email }) => <span className="font-medium">{email}</span> },
  { name: text.role, cell: ({ role }) => (role ? adminMessages.roles[role] : text.none) },
  { name: text.invitedBy, cell: ({ invitedBy }) => invitedBy ?? text.deleted },
  { name: text.sent, cell: ({ sentAt }) => <TimeCell at={sentAt} /> },
  {
    name: text.expires,
    cell: ({ expiresAt }) => (Date.parse(expiresAt) <= Date.now() ? text.expired : <TimeCell at={expiresAt} />),
  },
];

function InvitationButtons({ invitation: { id, email }, onRevoke }: { invitation: Invitation; onRevoke: () => void }) {
  const resend = useResourceMutation({
    call: async () => (await adminApi.adminResendInvitation({ params: { id } })).data,
    onSuccess: () => showToast({ title: text.resent, description: email }),
    errorTitle: text.resendFailed,
    invalidates: [listKey],
  });
  return (
    <span className="flex flex-wrap justify-end gap-2 sm:justify-start">
      <Button
        look="secondary"
        size="small"
        aria-label={text.resendTo(email)}
        pending={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {text.resend}
      </Button>
      <Button look="secondary" size="small" aria-label={text.revokeOf(email)} onClick={onRevoke}>
        {text.revoke}
      </Button>
    </span>
  );
}

/** Invitations that weren't accepted. Those with a role can be changed with `roles.manage`. */
export function InvitationList({ own }: { own: User }) {
  const query = usePages(listKey, (request) => adminApi.adminListInvitations(request));
  const [asked, setAsked] = useState<Invitation>();
  const revoke = useResourceMutation({
    call: async ({ id }: Invitation) => {
      await adminApi.adminRevokeInvitation({ params: { id } });
    },
    onSuccess: (_, { email }) => {
      setAsked(undefined);
      showToast({ title: text.revoked, description: email });
    },
    onError: () => setAsked(undefined),
    errorTitle: text.revokeFailed,
    invalidates: [listKey],
  });
  const buttons: PlainColumn<Invitation> = {
    name: text.actions,
    cell: (invitation) =>
      own.permissions.includes(invitePermission(invitation.role)) && (
        <InvitationButtons invitation={invitation} onRevoke={() => setAsked(invitation)} />
      ),
  };
  return (
    <Card title={text.title}>
      <PagedList query={query} exports={adminRoutes.adminExportInvitations} empty={<EmptyState {...text.empty} />}>
        {(rows) => (
          <PlainTable caption={text.caption} columns={[...columns, buttons]} rows={rows} rowKey={({ id }) => id} />
        )}
      </PagedList>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title={text.revokeTitle}
        text={asked && text.revokeText(asked.email)}
        confirm={text.revoke}
        pending={revoke.isPending}
        onConfirm={() => asked && revoke.mutate(asked)}
      />
    </Card>
  );
}
