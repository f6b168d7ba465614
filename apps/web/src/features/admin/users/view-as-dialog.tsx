import { type AdminUser, adminViewBodySchema } from '@uprez/contracts/schemas/admin';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { openViewedAccount } from '../../../lib/session/account-view.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { ReasonField } from './reason-field.tsx';
import { viewAsMessages as text } from './view-as-messages.ts';

type ViewAsDialogProps = { user: Pick<AdminUser, 'id' | 'email'>; onClose: () => void };

/** Asks why, and opens the dashboard of the user. */
export function ViewAsDialog({ user, onClose }: ViewAsDialogProps) {
  const form = useApiForm({
    schema: adminViewBodySchema,
    defaultValues: { reason: '' },
    send: async (body) => {
      const { data } = await adminApi.adminStartView({ params: { id: user.id }, body });
      await openViewedAccount(data.userId);
    },
  });
  return (
    <FormDialog title={text.title(user.email)} description={text.text} form={form} text={text} onClose={onClose}>
      <ReasonField {...form.field('reason')} />
      <p className="text-muted text-sm">{text.browser}</p>
    </FormDialog>
  );
}
