import type { ReactNode } from 'react';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { changedKeys } from './queries.ts';
import { ReasonField, reasonSchema } from './reason-field.tsx';

const schema = z.object({ reason: reasonSchema });

type ReasonDialogProps = {
  title: string;
  description: string;
  text: { submit: string; pending: string };
  look: 'primary' | 'danger';
  /** Shown instead of the error. */
  notice?: ReactNode;
  /** Makes the change. After an error, the dialog stays open, and keeps the reason. */
  send: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

/** Asks for the reason of a change of a user. */
export function ReasonDialog({ send, onClose, ...props }: ReasonDialogProps) {
  // Also after an error: another administrator may have changed the user.
  const change = useResourceMutation({ call: send, invalidates: changedKeys });
  const form = useApiForm({
    schema,
    defaultValues: { reason: '' },
    send: async ({ reason }) => {
      await change.mutateAsync(reason);
      onClose();
    },
  });
  return (
    <FormDialog {...props} form={form} onClose={onClose}>
      <ReasonField {...form.field('reason')} />
    </FormDialog>
  );
}
