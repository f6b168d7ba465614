import { useState } from 'react';
import { useFocusOnMount } from '../../lib/layout/use-focus-on-mount.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ReauthForm, type ReauthFormProps } from './reauth-form.tsx';

type OpenButtonProps = { label: string; takesFocus: boolean; onClick: () => void };

function OpenButton({ label, takesFocus, onClick }: OpenButtonProps) {
  const button = useFocusOnMount<HTMLButtonElement>();
  return (
    <Button ref={takesFocus ? button : undefined} look="secondary" className="justify-self-start" onClick={onClick}>
      {label}
    </Button>
  );
}

type ReauthActionProps<Values extends { password: string }, T> = ReauthFormProps<Values, T> & {
  text: { open: string };
  /** Focuses the button, for one that replaces a focused control. */
  takesFocus?: boolean;
};

/** A button that opens a proof form in its place. */
export function ReauthAction<Values extends { password: string }, T>({
  takesFocus = false,
  ...props
}: ReauthActionProps<Values, T>) {
  const [isOpen, setIsOpen] = useState<boolean>();
  if (!isOpen)
    return (
      <OpenButton label={props.text.open} takesFocus={takesFocus || isOpen === false} onClick={() => setIsOpen(true)} />
    );
  return (
    <div className="max-w-sm">
      <ReauthForm
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
