import type { Permission } from '@uprez/contracts/policy/admin/permissions';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import {
  Activity,
  BadgeDollarSign,
  ChartColumn,
  Files,
  FileText,
  Globe,
  Images,
  Inbox,
  LayoutDashboard,
  type LucideIcon,
  Settings,
  Shield,
  Users,
} from 'lucide-react';
import { adminMessages } from '../messages.ts';
import { newId, postPath } from './admin-paths.ts';

export const pagePermissions = {
  [adminPages.dashboard]: 'dashboard.read',
  [adminPages.users]: 'users.read',
  [adminPages.newUser]: 'users.manage',
  [adminPages.user]: 'users.read',
  [adminPages.profile]: 'dashboard.read',
  [adminPages.posts]: 'content.read',
  [adminPages.post]: 'content.read',
  [adminPages.media]: 'media.read',
  [adminPages.mediaUpload]: 'media.manage',
  [adminPages.mediaFile]: 'media.read',
  [adminPages.analytics]: 'dashboard.read',
  [adminPages.reports]: 'dashboard.read',
  [adminPages.usage]: 'dashboard.read',
  [adminPages.payments]: 'payments.read',
  [adminPages.transactions]: 'payments.read',
  [adminPages.coupons]: 'payments.read',
  [adminPages.leads]: 'leads.read',
  [adminPages.prices]: 'payments.read',
  [adminPages.inbox]: 'payments.read',
  [adminPages.jobs]: 'jobs.read',
  [adminPages.job]: 'jobs.read',
  [adminPages.tickets]: 'inbox.manage',
  [adminPages.ticket]: 'inbox.manage',
  [adminPages.help]: 'content.read',
  [adminPages.helpArticle]: 'content.read',
  [adminPages.pages]: 'content.read',
  [adminPages.page]: 'content.read',
  [adminPages.status]: 'incidents.read',
  [adminPages.probes]: 'incidents.read',
  [adminPages.campaigns]: 'content.read',
  [adminPages.campaign]: 'content.read',
  [adminPages.subscribers]: 'content.read',
  [adminPages.audit]: 'logs.read',
  [adminPages.security]: 'security.manage',
  [adminPages.apiKeys]: 'keys.manage',
  [adminPages.accessLog]: 'logs.read',
  [adminPages.permissions]: 'roles.manage',
  [adminPages.settings]: 'settings.read',
  [adminPages.settingsSeo]: 'settings.read',
  [adminPages.settingsEmail]: 'settings.read',
  [adminPages.settingsHistory]: 'settings.read',
} as const satisfies Record<string, Permission>;
export type AdminPath = keyof typeof pagePermissions;

/** `to` can include a query, because several links may open the same page. */
type AdminLink = { label: string; to: AdminPath | `${AdminPath}?${string}`; permission?: Permission };
/** Sidebar entry: a single link, or a group of links. */
type AdminEntry = { label: string; icon: LucideIcon; to?: AdminPath; links: readonly AdminLink[] };

const { entries, links } = adminMessages;

const newPostQuery = 'new=true';
const newPostPath = postPath(newId);

export const newPostLink = {
  label: adminMessages.quickActions.newPost,
  to: `${adminPages.posts}?${newPostQuery}`,
  permission: 'content.manage',
} as const;

/** `permission` overrides the permission that the page requires. */
const adminEntries: readonly AdminEntry[] = [
  { label: entries.dashboard, icon: LayoutDashboard, to: adminPages.dashboard, links: [] },
  {
    label: entries.posts,
    icon: FileText,
    links: [
      { label: links.allPosts, to: adminPages.posts },
      { ...newPostLink, label: links.newPost },
      { label: links.categories, to: `${adminPages.posts}?tab=categories` },
    ],
  },
  {
    label: entries.media,
    icon: Images,
    links: [
      { label: links.library, to: adminPages.media },
      { label: links.uploadNew, to: adminPages.mediaUpload },
    ],
  },
  {
    label: entries.users,
    icon: Users,
    to: adminPages.users,
    links: [
      { label: links.allUsers, to: adminPages.dashboard, permission: 'users.read' },
      { label: links.newUser, to: adminPages.newUser },
      { label: links.profile, to: adminPages.profile },
    ],
  },
  {
    label: entries.analytics,
    icon: ChartColumn,
    links: [
      { label: links.overview, to: adminPages.analytics },
      { label: links.reports, to: adminPages.reports },
      { label: links.usage, to: adminPages.usage },
    ],
  },
  {
    label: entries.payments,
    icon: BadgeDollarSign,
    links: [
      { label: links.subscriptions, to: adminPages.payments },
      { label: links.transactions, to: adminPages.transactions },
      { label: links.coupons, to: adminPages.coupons },
      { label: links.leads, to: adminPages.leads },
      { label: links.prices, to: adminPages.prices },
      { label: links.inbox, to: adminPages.inbox },
    ],
  },
  {
    label: entries.security,
    icon: Shield,
    links: [
      { label: links.apiKeys, to: adminPages.apiKeys },
      { label: links.accessLog, to: adminPages.accessLog },
      { label: links.permissions, to: adminPages.permissions },
      { label: links.securitySettings, to: adminPages.security },
    ],
  },
  {
    label: entries.website,
    icon: Globe,
    links: [
      { label: links.generalSettings, to: adminPages.settings },
      { label: links.seoSettings, to: adminPages.settingsSeo },
      { label: links.emailSettings, to: adminPages.settingsEmail },
    ],
  },
  { label: entries.settings, icon: Settings, to: adminPages.settings, links: [] },
  { label: entries.inbox, icon: Inbox, to: adminPages.tickets, links: [] },
  {
    label: entries.content,
    icon: Files,
    links: [
      { label: links.pages, to: adminPages.pages },
      { label: links.help, to: adminPages.help },
      { label: links.campaigns, to: adminPages.campaigns },
      { label: links.subscribers, to: adminPages.subscribers },
    ],
  },
  {
    label: entries.operations,
    icon: Activity,
    links: [
      { label: links.jobs, to: adminPages.jobs },
      { label: links.incidents, to: adminPages.status },
      { label: links.probes, to: adminPages.probes },
      { label: links.audit, to: adminPages.audit },
    ],
  },
];

const pageOf = (to: AdminLink['to']) => to.split('?', 1)[0] as AdminPath;

/** Returns the sidebar entries that the given permissions allow. */
export function entriesFor(permissions: readonly Permission[]): AdminEntry[] {
  const may = ({ to, permission = pagePermissions[pageOf(to)] }: Pick<AdminLink, 'to' | 'permission'>) =>
    permissions.includes(permission);
  return adminEntries.flatMap(({ to, ...entry }) => {
    const open = { ...entry, ...(to && may({ to }) && { to }), links: entry.links.filter(may) };
    return open.to || open.links.length > 0 ? [open] : [];
  });
}

const linkedPages: ReadonlySet<string> = new Set(
  adminEntries.flatMap(({ to, links: own }) => [...(to ? [to] : []), ...own.map((link) => pageOf(link.to))]),
);

/**
 * Returns the sidebar page that a path belongs to: the path itself, or its nearest parent. For example, an article
 * belongs to its list.
 */
function linkedPageOf(pathname: string): string | undefined {
  if (linkedPages.has(pathname)) return pathname;
  const above = pathname.slice(0, pathname.lastIndexOf('/'));
  return above === adminPages.dashboard || above === '' ? undefined : linkedPageOf(above);
}

/**
 * Whether an entry is highlighted. Two entries link to the dashboard, and two link to the general settings. Only the
 * first of them is highlighted.
 */
export function isCurrentEntry({ label }: Pick<AdminEntry, 'label'>, pathname: string): boolean {
  const page = linkedPageOf(pathname);
  const first = adminEntries.find(({ to, links: own }) => to === page || own.some((link) => pageOf(link.to) === page));
  return page !== undefined && first?.label === label;
}

/**
 * Returns the highlighted link of an entry. If several links open the page, prefers the link with a query that the URL
 * contains. Otherwise, returns the first of them.
 */
export function findCurrentLink(
  { label, links: own }: Pick<AdminEntry, 'label' | 'links'>,
  { pathname, search }: { pathname: string; search: string },
): AdminLink | undefined {
  if (!isCurrentEntry({ label }, pathname)) return undefined;
  const page = linkedPageOf(pathname);
  const onPage = own.filter(({ to }) => pageOf(to) === page);
  const parts = pathname === newPostPath ? [newPostQuery] : search.slice(1).split('&');
  return onPage.find(({ to }) => parts.includes(to.split('?', 2)[1] ?? '')) ?? onPage[0];
}
