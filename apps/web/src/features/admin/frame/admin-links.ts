import type { Permission } from '@uprez/contracts/policy/permissions';
import { BadgeDollarSign, LayoutDashboard, type LucideIcon, Users } from 'lucide-react';
import { paths } from '../../../site-map.ts';
import { adminMessages } from '../messages.ts';

/** The pages of administrators, and the permission that each requires. */
export const pagePermissions = {
  [paths.admin]: 'dashboard.read',
  [paths.adminPayments]: 'payments.read',
  [paths.adminTransactions]: 'payments.read',
  [paths.adminCoupons]: 'payments.read',
  [paths.adminLeads]: 'leads.read',
  [paths.adminPrices]: 'payments.read',
  [paths.adminInbox]: 'payments.read',
} as const satisfies Record<string, Permission>;
export type AdminPath = keyof typeof pagePermissions;

type AdminLink = { label: string; to: AdminPath; permission?: Permission };
/** An entry of the sidebar: a link, or a group of links. */
type AdminEntry = { label: string; icon: LucideIcon; to?: AdminPath; links: readonly AdminLink[] };

const { entries, links } = adminMessages;

/** The entries of the sidebar, in order: only pages that exist. `permission`: another one than that of the page. */
const adminEntries: readonly AdminEntry[] = [
  { label: entries.dashboard, icon: LayoutDashboard, to: paths.admin, links: [] },
  {
    label: entries.users,
    icon: Users,
    links: [{ label: links.allUsers, to: paths.admin, permission: 'users.read' }],
  },
  {
    label: entries.payments,
    icon: BadgeDollarSign,
    links: [
      { label: links.subscriptions, to: paths.adminPayments },
      { label: links.transactions, to: paths.adminTransactions },
      { label: links.coupons, to: paths.adminCoupons },
      { label: links.leads, to: paths.adminLeads },
      { label: links.prices, to: paths.adminPrices },
      { label: links.inbox, to: paths.adminInbox },
    ],
  },
];

/** The entries for an administrator with these permissions. */
export function entriesFor(permissions: readonly Permission[]): AdminEntry[] {
  const may = ({ to, permission = pagePermissions[to] }: Pick<AdminLink, 'to' | 'permission'>) =>
    permissions.includes(permission);
  return adminEntries.flatMap(({ to, ...entry }) => {
    const open = { ...entry, ...(to && may({ to }) && { to }), links: entry.links.filter(may) };
    return open.to || open.links.length > 0 ? [open] : [];
  });
}

/** Whether an entry is highlighted: the path is its link or one of its links. */
export const isCurrentEntry = ({ to, links: own }: AdminEntry, pathname: string): boolean =>
  to === pathname || own.some((link) => link.to === pathname);
