import { useResendLink } from '../../lib/use-resend-link.ts';
import { accountMessages } from '../../messages/account.ts';
import { Button } from '../../ui/button.tsx';

/** Has the link sent again that confirms the address. */
export function ResendButton() {
  const resend = useResendLink();
  return (
    <Button look="secondary" className="justify-self-start" pending={resend.isPending} onClick={() => resend.mutate()}>
      {accountMessages.email.resend}
    </Button>
  );
}
