import type { AdminUser } from '@uprez/contracts/schemas/admin';
import { Crown } from 'lucide-react';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.users;

type Named = Pick<AdminUser, 'firstName' | 'lastName'>;

/** The full name of a user; another text if both names are empty. */
export const nameOf = ({ firstName, lastName }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || text.anonymous;

type UserCellProps = { user: Named & Pick<AdminUser, 'email' | 'isAdmin' | 'suspendedAt'> };

/** Name and email address of a user, with a crown for administrators. */
export function UserCell({ user }: UserCellProps) {
  const { email, isAdmin, suspendedAt } = user;
  return (
    <span className="grid">
      <span className="flex flex-wrap items-center gap-1.5 font-medium">
        {nameOf(user)}
        {isAdmin && (
          <Crown
            role="img"
            aria-label={text.administrator}
            strokeWidth={1.75}
            className="size-4 shrink-0 text-accent"
          />
        )}
        {suspendedAt !== null && <Badge kind="danger">{text.suspended}</Badge>}
      </span>
      <span className="text-muted text-xs">{email}</span>
    </span>
  );
}
