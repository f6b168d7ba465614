import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type Role, roles } from '@uprez/contracts/policy/permissions';
import { inviteBodySchema } from '@uprez/contracts/schemas/invitations';
import type { User } from '@uprez/contracts/schemas/user';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { invitationMessages } from './invitation-messages.ts';
import { ReasonField, reasonSchema } from './reason-field.tsx';

const text = invitationMessages.form;
const schema = inviteBodySchema.extend({ reason: reasonSchema });
const none = 'none';

/** Invites a person by email. With `roles.manage`, also with a role. */
export function InviteForm({ own }: { own: User }) {
  const invite = useResourceMutation({
    call: async (body: { email: string; role: Role | null; reason: string }) =>
      (await adminApi.adminInviteUser({ body })).data,
    // Also after an error: another administrator may have invited the same person.
    invalidates: [[adminRoutes.adminListInvitations.path]],
  });
  const form = useApiForm({
    schema,
    defaultValues: { email: '', role: null as Role | null, reason: '' },
    send: async (values) => {
      const { email } = await invite.mutateAsync(values);
      showToast({ title: text.done, description: email });
      form.reset();
    },
  });
  return (
    <Card title={text.title}>
      <form onSubmit={form.submit} noValidate className="grid max-w-lg gap-5">
        <TextField
          label={text.email}
          hint={text.emailHint}
          type="email"
          autoComplete="off"
          required
          {...form.field('email')}
        />
        {own.permissions.includes('roles.manage') && (
          <Select
            label={text.role}
            value={form.watch('role') ?? none}
            onChange={(role) => form.change({ role: role === none ? null : role })}
            options={[
              { value: none, label: text.noRole },
              ...roles.map((role) => ({ value: role, label: adminMessages.roles[role] })),
            ]}
          />
        )}
        <ReasonField hint={text.reasonHint} {...form.field('reason')} />
        {form.error && <Notice kind="danger">{form.error}</Notice>}
        <Button type="submit" className="justify-self-start" pending={form.isSubmitting} pendingText={text.pending}>
          {text.submit}
        </Button>
      </form>
    </Card>
  );
}
