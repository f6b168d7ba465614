import { planNameOfPath } from '@uprez/contracts/texts/plans';
import { Link, useLocation } from 'react-router';
import { useResendLink } from '../../../lib/session/use-resend-link.ts';
import { verifyEmailMessages } from '../../../lib/session/verify-email-messages.ts';
import { paths } from '../../../site-map.ts';
import { Button, linkStyle } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { billingMessages } from '../messages.ts';

const text = billingMessages.subscribe;

/** Stands where the order will be until the email address is confirmed. The user is loaded again when the tab gets the focus. */
export function ConfirmEmail({ email }: { email: string }) {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const resend = useResendLink(path);
  return (
    <Card title={verifyEmailMessages.title} className="max-w-md">
      <p className="text-muted text-sm">{text.confirm(email, planNameOfPath(path))}</p>
      <Button look="secondary" pending={resend.isPending} onClick={() => resend.mutate()}>
        {verifyEmailMessages.resend}
      </Button>
      <Link to={paths.pricing} className={linkStyle}>
        {text.other}
      </Link>
    </Card>
  );
}
