import type { User } from '@uprez/contracts/user';
import { useState } from 'react';
import { useFocus } from '../../lib/use-focus.ts';
import { Button } from '../../ui/button.tsx';
import { type Proof, ProofForm } from './proof-form.tsx';

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

type ProvenActionProps<T> = {
  user: User;
  text: { open: string; submit: string; pending: string; failed: string };
  send: (proof: Proof) => Promise<T>;
  onDone: (answer: T) => void;
};

/** A button that opens the form for the owner's proof in its place. */
export function ProvenAction<T>({ user, text, send, onDone }: ProvenActionProps<T>) {
  const [isOpen, setIsOpen] = useState<boolean>();
  if (!isOpen) return <Opener label={text.open} isBack={isOpen === false} onClick={() => setIsOpen(true)} />;
  return (
    <ProofForm
      hasTwoFactor={user.twoFactorEnabled}
      text={text}
      send={send}
      onDone={(answer) => {
        setIsOpen(false);
        onDone(answer);
      }}
      onCancel={() => setIsOpen(false)}
    />
  );
}
