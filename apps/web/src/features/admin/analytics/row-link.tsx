import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMay } from '../frame/use-may.ts';
import { listAnchor } from '../jobs/links.ts';

type RowPage = { path: string; hash?: string; permission: Permission };

/** Pages that list the records behind numbers, with the permission that each page requires. */
const rowPages = {
  jobs: { path: adminPages.jobs, hash: listAnchor, permission: 'jobs.read' },
  users: { path: adminPages.users, permission: 'users.read' },
  subscriptions: { path: adminPages.payments, permission: 'payments.read' },
  transactions: { path: adminPages.transactions, permission: 'payments.read' },
  settings: { path: adminPages.settings, permission: 'settings.read' },
} satisfies Record<string, RowPage>;

/** A page, and the filters of its table by URL parameter. */
export type Rows = { page: keyof typeof rowPages; filter?: Readonly<Record<string, string>> | undefined };

type RowLinkProps = { rows: Rows | undefined; children: ReactNode };

/** Links a number to the records behind it, if the role may see them. */
export function RowLink({ rows, children }: RowLinkProps) {
  const { path, hash, permission }: RowPage = rowPages[rows?.page ?? 'jobs'];
  const isOpen = useMay(permission);
  if (!rows || !isOpen) return children;
  return (
    <Link
      to={{ pathname: path, search: new URLSearchParams(rows.filter).toString(), hash }}
      className="rounded-control underline decoration-line underline-offset-4 hover:decoration-current print:no-underline"
    >
      {children}
    </Link>
  );
}
