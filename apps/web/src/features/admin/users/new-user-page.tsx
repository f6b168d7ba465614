import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { invitePermissionOf, type Role, roles } from '@uprez/contracts/policy/admin/permissions';
import { type Invitation, inviteBodySchema } from '@uprez/contracts/schemas/admin/invitations';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { showErrorToast } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConfirmCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useOwnUser } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { TimeCell } from '../payments/cells.tsx';
import { PagedList, usePages } from '../table/paged-list.tsx';
import { invitationMessages as text } from './messages.ts';
import { type PlainColumn, PlainTable } from './plain-table.tsx';
import { reasonField, reasonSchema } from './user-dialogs.tsx';

export function NewUserPage() {
  const own = useOwnUser();
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      {own && (
        <>
          <InviteForm own={own} />
          <InvitationList own={own} />
        </>
      )}
    </AdminPage>
  );
}

const formText = text.form;
const schema = inviteBodySchema.extend({ reason: reasonSchema });
const none = 'none';

/** Administrators with `roles.manage` can include a role. */
function InviteForm({ own }: { own: User }) {
  const invite = useResourceMutation({
    call: async (body: { email: string; role: Role | null; reason: string }) =>
      (await adminApi.adminInviteUser({ body })).data,
    // Refetches even after an error: another administrator may have invited the same person.
    invalidates: [[adminRoutes.adminListInvitations.path]],
  });
  const form = useApiForm({
    schema,
    defaultValues: { email: '', role: null as Role | null, reason: '' },
    send: async (values) => {
      const { email } = await invite.mutateAsync(values);
      showToast({ title: formText.done, description: email });
      form.reset();
    },
  });
  return (
    <Card title={formText.title}>
      <form onSubmit={form.submit} noValidate className="grid max-w-lg gap-5">
        <TextField
          label={formText.email}
          hint={formText.emailHint}
          type="email"
          autoComplete="off"
          required
          {...form.field('email')}
        />
        {own.permissions.includes('roles.manage') && (
          <Select
            label={formText.role}
            value={form.watch('role') ?? none}
            onChange={(role) => form.change({ role: role === none ? null : role })}
            options={[
              { value: none, label: formText.noRole },
              ...roles.map((role) => ({ value: role, label: adminMessages.roles[role] })),
            ]}
          />
        )}
        <TextField {...reasonField} hint={formText.reasonHint} {...form.field('reason')} />
        {form.error && <Notice kind="danger">{form.error}</Notice>}
        <Button type="submit" className="justify-self-start" pending={form.isSubmitting} pendingText={formText.pending}>
          {formText.submit}
        </Button>
      </form>
    </Card>
  );
}

const listText = text.list;
const listKey = [adminRoutes.adminListInvitations.path] as const;

const columns: PlainColumn<Invitation>[] = [
  { name: listText.email, cell: ({ email }) => <span className="font-medium">{email}</span> },
  { name: listText.role, cell: ({ role }) => (role ? adminMessages.roles[role] : listText.none) },
  { name: listText.invitedBy, cell: ({ invitedBy }) => invitedBy ?? listText.deleted },
  { name: listText.sent, cell: ({ sentAt }) => <TimeCell at={sentAt} /> },
  {
    name: listText.expires,
    cell: ({ expiresAt }) => (Date.parse(expiresAt) <= Date.now() ? listText.expired : <TimeCell at={expiresAt} />),
  },
];

function InvitationButtons({ invitation: { id, email }, onRevoke }: { invitation: Invitation; onRevoke: () => void }) {
  const resend = useResourceMutation({
    call: async () => (await adminApi.adminResendInvitation({ params: { id } })).data,
    onSuccess: () => showToast({ title: listText.resent, description: email }),
    errorTitle: listText.resendFailed,
    invalidates: [listKey],
  });
  return (
    <span className="flex flex-wrap justify-end gap-2 sm:justify-start">
      <Button
        look="secondary"
        size="small"
        aria-label={listText.resendTo(email)}
        pending={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {listText.resend}
      </Button>
      <Button look="secondary" size="small" aria-label={listText.revokeOf(email)} onClick={onRevoke}>
        {listText.revoke}
      </Button>
    </span>
  );
}

/** Invitations with a role can only be changed with `roles.manage`. */
function InvitationList({ own }: { own: User }) {
  const query = usePages(listKey, (request) => adminApi.adminListInvitations(request));
  const [asked, setAsked] = useState<Invitation>();
  const buttons: PlainColumn<Invitation> = {
    name: listText.actions,
    cell: (invitation) =>
      own.permissions.includes(invitePermissionOf(invitation.role)) && (
        <InvitationButtons invitation={invitation} onRevoke={() => setAsked(invitation)} />
      ),
  };
  return (
    <Card title={listText.title}>
      <PagedList query={query} exports={adminRoutes.adminExportInvitations} empty={<EmptyState {...listText.empty} />}>
        {(rows) => (
          <PlainTable caption={listText.caption} columns={[...columns, buttons]} rows={rows} rowKey={({ id }) => id} />
        )}
      </PagedList>
      {asked && (
        <ConfirmCallDialog
          text={{ title: listText.revokeTitle, text: listText.revokeText(asked.email), confirm: listText.revoke }}
          call={() => adminApi.adminRevokeInvitation({ params: { id: asked.id } })}
          refreshes={[listKey]}
          failed={(error) => {
            showErrorToast(listText.revokeFailed, error);
            setAsked(undefined);
          }}
          done={{ title: listText.revoked, description: asked.email }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Card>
  );
}
