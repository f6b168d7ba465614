import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { showErrorToast } from '../../lib/api/api-errors.ts';
import { useSite } from '../../lib/api/queries.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { pricingMessages as text } from '../../ui/plans/messages.ts';
import { LeadDialog } from './lead-dialog.tsx';

const wide = { size: 'wide', look: 'secondary' } as const;

export const mailtoUrl = (to: string, { subject, body }: { subject: string; body: string }): string =>
  `mailto:${encodeURIComponent(to).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;

/** Opens a draft to the sales address. */
function DraftAction({ name }: { name: string }) {
  const { data, isFetching, refetch } = useSite();
  if (data)
    return (
      <a href={mailtoUrl(data.contactEmail, text.draft(name))} className={buttonStyle(wide)}>
        {text.byMail}
      </a>
    );
  const open = async () => {
    const { data: site, error } = await refetch();
    if (site) window.location.assign(mailtoUrl(site.contactEmail, text.draft(name)));
    else showErrorToast(text.addressFailed, error);
  };
  return (
    <Button {...wide} pending={isFetching} onClick={() => void open()}>
      {text.byMail}
    </Button>
  );
}

/** Opens a draft to the sales address, or a form. `name`: the plan. */
export function MailAction({ name, user }: { name: string; user: User | null }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="grid gap-2">
      <DraftAction name={name} />
      <Button look="ghost" onClick={() => setAsking(true)}>
        {text.byForm}
      </Button>
      {isAsking && <LeadDialog name={name} user={user} onClose={() => setAsking(false)} />}
    </div>
  );
}
