import { useState } from 'react';
import { useFocus } from '../../lib/layout/use-focus.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ProofForm, type ProofFormProps } from './proof-form.tsx';

type OpenButtonProps = { label: string; takesFocus: boolean; onClick: () => void };

function OpenButton({ label, takesFocus, onClick }: OpenButtonProps) {
  const button = useFocus<HTMLButtonElement>();
  return (
    <Button ref={takesFocus ? button : undefined} look="secondary" className="justify-self-start" onClick={onClick}>
      {label}
    </Button>
  );
}

type ProvenActionProps<Values extends { password: string }, T> = ProofFormProps<Values, T> & {
  text: { open: string };
  /** Focuses the button, for one that replaces a focused control. */
  takesFocus?: boolean;
};

/** A button that opens a proof form in its place. */
export function ProvenAction<Values extends { password: string }, T>({
  takesFocus = false,
  ...props
}: ProvenActionProps<Values, T>) {
  const [isOpen, setIsOpen] = useState<boolean>();
  if (!isOpen)
    return (
      <OpenButton label={props.text.open} takesFocus={takesFocus || isOpen === false} onClick={() => setIsOpen(true)} />
    );
  return (
    <div className="max-w-sm">
      <ProofForm
        {...props}
        onDone={(result) => {
          setIsOpen(false);
          props.onDone(result);
        }}
        onCancel={() => setIsOpen(false)}
      />
    </div>
  );
}
