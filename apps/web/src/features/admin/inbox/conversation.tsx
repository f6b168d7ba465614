import type { Ticket } from '@uprez/contracts/schemas/tickets';
import clsx from 'clsx';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { TimeCell } from '../payments/cells.tsx';
import { inboxMessages as text } from './messages.ts';

type Message = Ticket['messages'][number];

function authorOf({ kind, author }: Message, sender: string): string {
  if (kind === 'message') return sender;
  return author ? (author.firstName ?? author.email) : text.formerAdmin;
}

const deliveryKinds = { queued: 'neutral', sent: 'success', failed: 'danger' } as const;

function MessageItem({ message, sender }: { message: Message; sender: string }) {
  const { kind, delivery } = message;
  return (
    <li
      className={clsx(
        'grid gap-2 rounded-control border border-line p-3 sm:p-4',
        kind === 'note' && 'border-dashed bg-sunken',
        kind === 'reply' && 'sm:ml-8',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium text-sm wrap-anywhere">{authorOf(message, sender)}</span>
        <Badge kind="neutral">{text.kinds[kind]}</Badge>
        {delivery && <Badge kind={deliveryKinds[delivery]}>{text.delivery[delivery]}</Badge>}
        <span className="ml-auto">
          <TimeCell at={message.createdAt} />
        </span>
      </div>
      <p className="text-sm whitespace-pre-line wrap-anywhere">{message.text}</p>
    </li>
  );
}

/** What the sender and administrators wrote, the oldest first. */
export const Conversation = ({ ticket: { messages, name, email } }: { ticket: Ticket }) => (
  <Card title={text.conversation}>
    <ol className="grid gap-3">
      {messages.map((message) => (
        <MessageItem key={message.id} message={message} sender={name || email} />
      ))}
    </ol>
  </Card>
);
