import { pluralize } from '@uprez/contracts/texts/format';
import { type FormEventHandler, type ReactNode, useId } from 'react';
import * as z from 'zod';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { Button } from '../controls/button.tsx';
import { Select } from '../controls/select.tsx';
import { type FailedForm, FormError } from '../feedback/form-error.tsx';
import { cancelLabel, Dialog } from './dialog.tsx';

type FormDialogProps = {
  title: string;
  description?: ReactNode;
  form: FailedForm & { submit: FormEventHandler; isSubmitting: boolean; isUnsaved?: boolean };
  text: { submit: string; pending?: string };
  look?: 'primary' | 'danger';
  /** Message about what is missing. Disables the submit button. */
  missing?: string | undefined;
  /** Shown instead of the form's error. */
  notice?: ReactNode;
  /** Label of the button that changes nothing. */
  keep?: string;
  onClose: () => void;
  children: ReactNode;
};

export function FormDialog({
  title,
  description,
  form,
  text,
  look = 'primary',
  missing,
  notice,
  keep = cancelLabel,
  ...props
}: FormDialogProps) {
  const { onClose, children } = props;
  const id = useId();
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description} unsaved={form.isUnsaved}>
      <form onSubmit={form.submit} className="grid min-w-0 gap-5">
        {children}
        {notice || <FormError form={form} />}
        <div className="flex flex-wrap items-center justify-end gap-2">
          {missing && (
            <p id={id} className="mr-auto text-muted text-xs">
              {missing}
            </p>
          )}
          <Button look="secondary" onClick={onClose}>
            {keep}
          </Button>
          <Button
            type="submit"
            look={look}
            disabled={missing !== undefined}
            aria-describedby={missing && id}
            pending={form.isSubmitting}
            pendingText={text.pending}
          >
            {text.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const schema = z.object({ overlapHours: z.number() });

function describeRevocation(hours: number): string {
  if (hours === 0) return 'Revoke immediately';
  return `Revoke in ${hours % 24 === 0 ? pluralize(hours / 24, 'day') : pluralize(hours, 'hour')}`;
}

type RotationDialogProps = {
  title: string;
  text: { text: string; overlap: string; submit: string; pending?: string; failed?: string };
  /** Default and maximum time that the former secret stays valid, in hours. */
  overlap: { default: number; max: number };
  rotate: (overlapHours: number) => Promise<void>;
  onClose: () => void;
  /** Shown instead of the error message. */
  notice?: ReactNode;
};

export function RotationDialog({ title, text, overlap, rotate, onClose, notice }: RotationDialogProps) {
  const form = useApiForm({
    schema,
    defaultValues: { overlapHours: overlap.default },
    ...(text.failed && { failure: text.failed }),
    send: async ({ overlapHours }) => {
      await rotate(overlapHours);
      onClose();
    },
  });
  const options = [0, 1, overlap.default, 3 * 24, overlap.max].map((hours) => ({
    value: String(hours),
    label: describeRevocation(hours),
  }));
  return (
    <FormDialog title={title} description={text.text} form={form} text={text} notice={notice} onClose={onClose}>
      <Select
        label={text.overlap}
        value={String(form.watch('overlapHours'))}
        onChange={(hours) => form.change({ overlapHours: Number(hours) })}
        options={options}
      />
    </FormDialog>
  );
}
