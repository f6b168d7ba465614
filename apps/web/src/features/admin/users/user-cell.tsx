import type { AdminUser } from '@uprez/contracts/schemas/admin/users';
import clsx from 'clsx';
import { Crown } from 'lucide-react';
import { Link } from 'react-router';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { userPath } from '../frame/admin-paths.ts';
import { adminMessages } from '../messages.ts';
import { userTableMessages as text } from './messages.ts';

type UserNames = Pick<AdminUser, 'firstName' | 'lastName' | 'email'>;

/** Returns the full name of a user, or the email address if both names are empty. */
export const nameOf = ({ firstName, lastName, email }: UserNames): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email;

type UserCellProps = {
  user: UserNames & Pick<AdminUser, 'id' | 'isAdmin' | 'role' | 'suspendedAt'>;
  showsRole?: boolean;
  /** Shown above the email address of users without a name. */
  nameless?: string;
};

export function UserCell({ user, showsRole = false, nameless }: UserCellProps) {
  const { id, email, isAdmin, role, suspendedAt } = user;
  const known = nameOf(user);
  const name = known === email ? (nameless ?? email) : known;
  return (
    <span className="grid">
      <span className="flex flex-wrap items-center gap-1.5 font-medium">
        <Link to={userPath(id)} className="hover:underline">
          {name}
        </Link>
        {isAdmin && (
          <Crown
            role="img"
            aria-label={role ? text.administrator(adminMessages.roles[role]) : text.administratorOnly}
            strokeWidth={1.75}
            className={clsx('size-4 shrink-0', role === 'owner' ? 'text-accent' : 'text-muted')}
          />
        )}
        {showsRole && role && <Badge kind="neutral">{adminMessages.roles[role]}</Badge>}
        {suspendedAt !== null && <Badge kind="danger">{text.suspended}</Badge>}
      </span>
      {name !== email && <span className="text-muted text-xs">{email}</span>}
    </span>
  );
}
