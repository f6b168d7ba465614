import type { AdminUser } from '@uprez/contracts/schemas/admin';
import { Crown } from 'lucide-react';
import { Link } from 'react-router';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { userPath } from '../frame/user-path.ts';
import { adminMessages } from '../messages.ts';
import { userTableMessages as text } from './table-messages.ts';

type Named = Pick<AdminUser, 'firstName' | 'lastName'>;

/** The full name of a user; another text if both names are empty. */
export const nameOf = ({ firstName, lastName }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || text.anonymous;

type UserCellProps = {
  user: Named & Pick<AdminUser, 'id' | 'email' | 'isAdmin' | 'role' | 'suspendedAt'>;
  showsRole?: boolean;
};

/** Name and email address of a user, with a crown for administrators. The name leads to the page of the user. */
export function UserCell({ user, showsRole = false }: UserCellProps) {
  const { id, email, isAdmin, role, suspendedAt } = user;
  return (
    <span className="grid">
      <span className="flex flex-wrap items-center gap-1.5 font-medium">
        <Link to={userPath(id)} className="hover:underline">
          {nameOf(user)}
        </Link>
        {isAdmin && (
          <Crown
            role="img"
            aria-label={text.administrator}
            strokeWidth={1.75}
            className="size-4 shrink-0 text-accent"
          />
        )}
        {showsRole && role && <Badge kind="neutral">{adminMessages.roles[role]}</Badge>}
        {suspendedAt !== null && <Badge kind="danger">{text.suspended}</Badge>}
      </span>
      <span className="text-muted text-xs">{email}</span>
    </span>
  );
}
