import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type Assignee, noteBodySchema, replyBodySchema, type Ticket } from '@uprez/contracts/schemas/tickets';
import { useState } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextArea } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { inboxMessages } from './messages.ts';

const text = inboxMessages.answer;

type FormProps = { ticket: Ticket };

type Reply = { message: string; close?: boolean | undefined };

function ReplyForm({ ticket: { id, email, messages } }: FormProps) {
  const seenReplyId = messages.findLast(({ kind }) => kind === 'reply')?.id ?? null;
  const reply = useResourceMutation({
    call: (body: Reply) => adminApi.adminReplyToTicket({ params: { id }, body: { ...body, seenReplyId } }),
    // Refetches after an error too. The server rejects a reply if another tab has already sent one, and the refetched
    // ticket then shows it.
    invalidates: [ticketsKey],
  });
  const form = useApiForm<Reply>({
    schema: replyBodySchema,
    defaultValues: { message: '', close: false },
    send: async (body) => {
      await reply.mutateAsync(body);
      form.reset();
      showToast({ title: text.replyDone });
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <TextArea label={text.replyLabel} rows={8} hint={text.replyHint(email)} {...form.field('message')} />
      <Checkbox label={text.close} {...form.checkbox('close')} />
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <Button type="submit" pending={form.isSubmitting} pendingText={text.pending} className="justify-self-start">
        {text.sendReply}
      </Button>
    </form>
  );
}

function NoteForm({ ticket: { id } }: FormProps) {
  const note = useResourceMutation({
    call: (body: { message: string }) => adminApi.adminAddNote({ params: { id }, body }),
    invalidates: [ticketsKey],
  });
  const form = useApiForm<{ message: string }>({
    schema: noteBodySchema,
    defaultValues: { message: '' },
    send: async (body) => {
      await note.mutateAsync(body);
      form.reset();
      showToast({ title: text.noteDone });
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <TextArea label={text.noteLabel} rows={4} hint={text.noteHint} {...form.field('message')} />
      {form.error && <Notice kind="danger">{form.error}</Notice>}
      <Button type="submit" pending={form.isSubmitting} pendingText={text.pending} className="justify-self-start">
        {text.addNote}
      </Button>
    </form>
  );
}

/** Spam can't be replied to. */
export function AnswerForm({ ticket }: FormProps) {
  const [chosen, setChosen] = useState<'reply' | 'note'>('reply');
  const isSpam = ticket.state === 'spam';
  const kind = isSpam ? 'note' : chosen;
  return (
    <Card title={text.tabs}>
      {!isSpam && (
        <Segmented
          legend={text.tabs}
          legendHidden
          value={kind}
          onChange={setChosen}
          options={[
            { value: 'reply', label: text.reply },
            { value: 'note', label: text.note },
          ]}
        />
      )}
      {/* Both are kept, so that no text is lost by looking at the other one. */}
      <div hidden={kind !== 'reply'}>
        <ReplyForm ticket={ticket} />
      </div>
      <div hidden={kind !== 'note'}>
        <NoteForm ticket={ticket} />
      </div>
    </Card>
  );
}

/** Query key of the list. The key of each ticket starts with it, so a change to a ticket refetches both. */
export const ticketsKey = [adminRoutes.adminListTickets.path] as const;

export const useTicket = (id: string) =>
  useQuery<Ticket>({
    queryKey: [...ticketsKey, encodeURIComponent(id)],
    refetchOnMount: 'always',
  });

/** Loads the administrators that a ticket can be assigned to. */
export const useAssignees = () =>
  useQuery<Assignee[]>({
    queryKey: [adminRoutes.adminListAssignees.path],
    queryFn: async ({ signal }) => (await adminApi.adminListAssignees({ signal })).data,
  });
