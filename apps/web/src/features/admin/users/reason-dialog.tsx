import { requiredLineSchema } from '@uprez/contracts/schemas/user';
import type { ComponentProps, ReactNode } from 'react';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { dialogMessages } from './dialog-messages.ts';
import { changedKeys } from './queries.ts';

/** A reason, as all endpoints that take one limit it. */
export const reasonSchema = requiredLineSchema(dialogMessages.required).max(500);

/** A field for the reason of a change. */
export const ReasonField = ({
  hint = dialogMessages.auditHint,
  ...props
}: Partial<ComponentProps<typeof TextField>>) => (
  <TextField label={dialogMessages.reason} hint={hint} autoComplete="off" aria-required {...props} />
);

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
