import { useState } from 'react';
import { useFocus } from '../../lib/layout/use-focus.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ProofForm, type ProofFormProps } from './proof-form.tsx';

type OpenerProps = { label: string; isBack: boolean; onClick: () => void };

/** `isBack`: it follows its form, and takes the focus that was there. */
function Opener({ label, isBack, onClick }: OpenerProps) {
  const button = useFocus<HTMLButtonElement>();
  return (
    <Button ref={isBack ? button : undefined} look="secondary" className="justify-self-start" onClick={onClick}>
      {label}
    </Button>
  );
}

type ProvenActionProps<T> = ProofFormProps<T> & {
  text: { open: string };
  /** It follows something that had the focus. */
  takesFocus?: boolean;
};

/** A button that opens the form for the owner's proof in its place. */
export function ProvenAction<T>({ takesFocus = false, ...props }: ProvenActionProps<T>) {
  const [isOpen, setIsOpen] = useState<boolean>();
  if (!isOpen)
    return <Opener label={props.text.open} isBack={takesFocus || isOpen === false} onClick={() => setIsOpen(true)} />;
  return (
    <div className="max-w-sm">
      <ProofForm
        {...props}
        onDone={(answer) => {
          setIsOpen(false);
          props.onDone(answer);
        }}
        onCancel={() => setIsOpen(false)}
      />
    </div>
  );
}
