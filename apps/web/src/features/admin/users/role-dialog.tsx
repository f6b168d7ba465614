import { isAbove, type Role, roles } from '@uprez/contracts/policy/admin/permissions';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { nameAuthor } from '../frame/name-author.ts';
import { useOwnUser } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { dialogMessages } from './dialog-messages.ts';
import { changedKeys } from './queries.ts';
import { ReasonField, reasonSchema } from './reason-dialog.tsx';

const text = dialogMessages.role;
const none = 'none';
const schema = z.object({ role: z.enum(roles).nullable(), reason: reasonSchema });
type Values = z.input<typeof schema>;

type RoleDialogProps = {
  user: Pick<AdminUser, 'id' | 'role'>;
  /** Of the user. */
  name: string;
  onClose: () => void;
};

/** Gives a user another role, or none. Offers the roles that the administrator may give. */
export function RoleDialog({ user, name, onClose }: RoleDialogProps) {
  const own = useOwnUser();
  const { id, role: current } = user;
  const change = useResourceMutation({
    // As shown now, so that another administrator's change isn't overwritten unseen.
    call: async (values: Values) =>
      (await nameAuthor(adminApi.adminSetRole({ params: { id }, body: { ...values, expected: current } }))).data,
    // Also after an error: another administrator may have changed the role.
    invalidates: changedKeys,
  });
  const form = useApiForm<Values>({
    schema,
    defaultValues: { role: current, reason: '' },
    send: async (values) => {
      await change.mutateAsync(values);
      showToast({ title: text.done });
      onClose();
    },
  });
  const offered = roles.filter((role: Role) => !isAbove(role, own?.role ?? null));
  return (
    <FormDialog title={text.title(name)} description={text.current(current)} form={form} text={text} onClose={onClose}>
      <Select
        label={text.role}
        value={form.watch('role') ?? none}
        onChange={(role) => form.change({ role: role === none ? null : role })}
        options={[
          { value: none, label: text.none },
          ...offered.map((role) => ({ value: role, label: adminMessages.roles[role] })),
        ]}
      />
      <ReasonField {...form.field('reason')} />
    </FormDialog>
  );
}
