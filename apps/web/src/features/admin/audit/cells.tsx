import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import type { Audit } from '@uprez/contracts/schemas/audit';
import { describeAction, describeSubject } from '@uprez/contracts/texts/audit-actions';
import { Link } from 'react-router';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { userPath } from '../frame/user-path.ts';
import { adminMessages } from '../messages.ts';
import { auditMessages as text } from './messages.ts';
import { subjectLink } from './subject-link.ts';

const Stack = ({ title, note }: { title: string; note: string | null }) => (
  <span className="grid">
    <span className="font-medium">{title}</span>
    {note && <span className="text-muted text-xs">{note}</span>}
  </span>
);

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** What was done, or why it was rejected. */
export const ActionCell = ({ row: { action, rejected } }: { row: Audit }) => (
  <span className="grid max-w-56 justify-items-start gap-0.5">
    <span className="font-medium">{describeAction(action)}</span>
    {rejected !== null && (
      <>
        <Badge kind="danger">{text.rejected}</Badge>
        <span className="text-muted text-xs">{isErrorCode(rejected) ? errorCodes[rejected].title : rejected}</span>
      </>
    )}
  </span>
);

/** Who acted, in one line. */
export function nameOfActor({ actor: { kind, name, email, id } }: Pick<Audit, 'actor'>): string {
  if (kind === 'operator') return text.operator;
  return kind === 'deleted' ? text.deleted : (name ?? email ?? id ?? '');
}

export function ActorCell({ row }: { row: Audit }) {
  const { actor, role } = row;
  const name = nameOfActor(row);
  const notes = [actor.email !== name && actor.email, role && adminMessages.roles[role]].filter(Boolean);
  return <Stack title={name} note={notes.join(', ')} />;
}

/** What a row is about, in one line. */
export const nameOfSubject = ({ subject }: Pick<Audit, 'subject'>): string =>
  (subject.kind === 'user' ? (subject.name ?? subject.email) : null) ?? describeSubject(subject);

/** The customer that a row is about, in one line. */
export const nameOfAccount = ({ subject }: Pick<Audit, 'subject'>, id: string): string =>
  subject.name ?? subject.email ?? id;

/** The customer that the subject belongs to; of a user, the email address beside the name. */
function OwnerNote({ subject: { kind, name, email, accountId } }: Pick<Audit, 'subject'>) {
  if (email === null || accountId === null) return null;
  if (kind === 'user') return name === null ? null : <span className="text-muted text-xs">{email}</span>;
  return (
    <Link
      to={userPath(accountId)}
      className="text-muted text-xs underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {name ?? email}
    </Link>
  );
}

export function SubjectCell({ row }: { row: Audit }) {
  const { subject } = row;
  const name = nameOfSubject(row);
  const link = subjectLink(subject);
  return (
    <span className="grid">
      {link ? (
        <Link to={link} className="underline decoration-line underline-offset-4 hover:decoration-current">
          {name}
        </Link>
      ) : (
        <span>{name}</span>
      )}
      <OwnerNote subject={subject} />
    </span>
  );
}

/** The IP address and the request. */
export const SourceCell = ({ row: { address, requestId } }: { row: Audit }) => (
  <span className="grid text-muted text-xs">
    {address && <span>{address}</span>}
    {requestId && <code className="whitespace-nowrap">{text.request(requestId.slice(0, 8))}</code>}
  </span>
);
