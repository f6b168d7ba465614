import type { Ticket } from '@uprez/contracts/schemas/tickets';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { inboxMessages } from './messages.ts';
import { useTicketChange } from './use-ticket-change.ts';

const text = inboxMessages.actions;

/** Deletes spam. The page of the ticket is left first, because it would load the ticket again. */
function DeleteButton({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const remove = useResourceMutation({
    call: () => adminApi.adminDeleteTicket({ params: { id } }),
    errorTitle: text.failed,
    onSuccess: () => {
      showToast({ title: text.removeDone });
      void navigate(`${adminPages.tickets}?state=spam`);
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {text.remove}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={text.removeTitle}
        text={text.removeText}
        confirm={text.remove}
        onConfirm={() => remove.mutate()}
        pending={remove.isPending}
      />
    </>
  );
}

/** Changes of the state of a ticket. */
export function TicketActions({ ticket: { id, state } }: { ticket: Ticket }) {
  const change = useTicketChange(id);
  const button = (label: string, next: 'open' | 'closed' | 'spam') => (
    <Button
      look="secondary"
      pending={change.isPending && change.variables.state === next}
      disabled={change.isPending}
      onClick={() => change.mutate({ state: next })}
    >
      {label}
    </Button>
  );
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'spam' && button(text.notSpam, 'open')}
      {state === 'spam' && <DeleteButton id={id} />}
      {state === 'closed' && button(text.reopen, 'open')}
      {(state === 'open' || state === 'answered') && button(text.close, 'closed')}
      {state !== 'spam' && button(text.markSpam, 'spam')}
    </div>
  );
}
