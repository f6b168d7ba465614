import type { FormEventHandler, ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { cancel, Dialog } from './dialog.tsx';

type FormDialogProps = {
  title: string;
  description?: ReactNode;
  form: { submit: FormEventHandler; error: string | undefined; isSubmitting: boolean };
  text: { submit: string; pending?: string };
  disabled?: boolean;
  /** Shown instead of the form's error. */
  notice?: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

export function FormDialog({ title, description, form, text, disabled, notice, onClose, children }: FormDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <form onSubmit={form.submit} className="grid min-w-0 gap-5">
        {children}
        {notice ?? (form.error && <Notice kind="danger">{form.error}</Notice>)}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" disabled={disabled} pending={form.isSubmitting} pendingText={text.pending}>
            {text.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
