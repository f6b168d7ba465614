import { AlertDialog } from 'radix-ui';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useReturnFocus } from '../../lib/layout/focus.ts';
import { Button } from '../controls/button.tsx';
import { exactInput, TextField } from '../controls/text-field.tsx';
import { cancelLabel, overlayStyle } from './dialog.tsx';

/** Label of the button that changes nothing. Used where "Cancel" could be read as canceling the job. */
export const keepProcessingLabel = 'Keep processing';
export const formatConfirmPrompt = (word: string) => `Type ${word} to confirm`;

type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text: ReactNode;
  confirm: string;
  /** Label of the button that closes the dialog without confirming. */
  keep?: string | undefined;
  onConfirm: () => void;
  pending?: boolean;
  typed?: string;
};

function Question({ title, text, confirm, keep = cancelLabel, onConfirm, pending = false, typed }: ConfirmDialogProps) {
  const [word, setWord] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React bubbles a dialog's events to the form that renders the dialog. Without this, that form would be submitted,
    // too.
    event.stopPropagation();
    if (!pending && (typed === undefined || word.trim() === typed)) onConfirm();
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid gap-1">
        <AlertDialog.Title className="text-lg">{title}</AlertDialog.Title>
        <AlertDialog.Description asChild>
          <div className="text-muted text-sm wrap-anywhere">{text}</div>
        </AlertDialog.Description>
      </div>
      {typed !== undefined && (
        <TextField
          label={formatConfirmPrompt(typed)}
          value={word}
          onChange={(event) => setWord(event.target.value)}
          {...exactInput}
        />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <AlertDialog.Cancel asChild>
          <Button look="secondary">{keep}</Button>
        </AlertDialog.Cancel>
        <Button type="submit" look="danger" pending={pending} disabled={typed !== undefined && word.trim() !== typed}>
          {confirm}
        </Button>
      </div>
    </form>
  );
}

/** The focus starts on the button that changes nothing. The caller closes the dialog. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const returning = useReturnFocus();
  return (
    <AlertDialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayStyle} />
        <AlertDialog.Content
          {...returning}
          className="fixed inset-0 z-40 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-md animate-slide-in overflow-y-auto rounded-card border border-line bg-surface p-5 shadow-layer outline-none sm:p-6"
        >
          <Question {...props} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
