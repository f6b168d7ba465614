import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { userPath } from './admin-paths.ts';
import { useHasPermission } from './use-own-user.ts';

/** Links to a user's page. Renders plain text if the role can't open the page. */
export function UserLink({ id, children }: { id: string; children: ReactNode }) {
  if (!useHasPermission('users.read')) return <span>{children}</span>;
  return (
    <Link
      to={userPath(id)}
      className="rounded-control underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {children}
    </Link>
  );
}
