import { useResendLink } from '../../lib/session/use-resend-link.ts';
import { Button } from '../../ui/controls/button.tsx';
import { accountMessages } from './messages.ts';

/** Sends a new confirmation link. */
export function ResendButton() {
  const resend = useResendLink();
  return (
    <Button look="secondary" className="justify-self-start" pending={resend.isPending} onClick={() => resend.mutate()}>
      {accountMessages.email.resend}
    </Button>
  );
}
