import type { User } from '@uprez/contracts/schemas/user';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import {
  CircleUser,
  CreditCard,
  ExternalLink,
  FileText,
  House,
  Images,
  KeyRound,
  ListChecks,
  LogIn,
} from 'lucide-react';
import { entriesFor } from '../../features/admin/frame/admin-links.ts';
import { adminMessages } from '../../features/admin/messages.ts';
import { dashboardMessages } from '../../features/dashboard/messages.ts';
import { type ShortcutId, shortcuts } from '../../lib/shortcuts/shortcuts.ts';
import { messages } from '../../messages.ts';
import { paths, siteLinks } from '../../site-map.ts';
import type { PaletteCommand } from './palette-dialog.tsx';

/** Pages for single records are missing, because their lists lead to them. */
const adminKeywords: Partial<Record<string, string>> = {
  [adminPages.dashboard]: 'statistics attention overview',
  [adminPages.users]: 'accounts customers suspend tier role grant credits view as locked unlock export',
  [adminPages.newUser]: 'invite invitation administrator staff',
  [adminPages.profile]: 'own account password two-factor role',
  [adminPages.posts]: 'articles blog news',
  [adminPages.media]: 'images files alt text',
  [adminPages.analytics]: 'revenue mrr churn growth cohorts',
  [adminPages.reports]: 'export csv',
  [adminPages.usage]: 'engines failures api images',
  [adminPages.payments]: 'subscription cancel unpaid dunning override export',
  [adminPages.transactions]: 'refund invoice receipt dispute charge payment export',
  [adminPages.coupons]: 'discount promotion code',
  [adminPages.leads]: 'sales inquiry',
  [adminPages.prices]: 'tax packs yearly',
  [adminPages.inbox]: 'stripe events dead letter',
  [adminPages.jobs]: 'queue workers pools engines drain pause dead letter stuck retry failed',
  [adminPages.tickets]: 'tickets support messages contact reply spam',
  [adminPages.help]: 'articles questions',
  [adminPages.pages]: 'legal terms privacy about careers job openings positions departments',
  [adminPages.status]: 'incidents maintenance outage services override',
  [adminPages.probes]: 'checks uptime monitoring',
  [adminPages.campaigns]: 'email mailing',
  [adminPages.subscribers]: 'newsletter unsubscribe export',
  [adminPages.audit]: 'history changes log export',
  [adminPages.security]:
    'two-factor authentication password length sign-in attempts locked lockout session timeout rate limit cors origins',
  [adminPages.apiKeys]: 'service key revoke',
  [adminPages.accessLog]: 'sign-ins failures locked ip address unusual activity export',
  [adminPages.permissions]: 'roles administrators staff',
  [adminPages.settings]: 'maintenance mode registration company site name cost',
  [adminPages.settingsSeo]: 'google analytics meta title open graph search',
  [adminPages.settingsEmail]: 'smtp mail server sender test',
};

/** `to` may include a query. */
const findKeywords = (to: string): string | undefined => adminKeywords[to.split('?', 1)[0] ?? ''];

const navigation = messages.navigation;
const homeName = 'Home';

const accountKeywords = {
  process: 'upload upscale resize convert bulk batch image processor',
  activity: 'history jobs results downloads usage credits export',
  apiKeys: 'api key webhook endpoint image urls sandbox service',
  account:
    'profile name email password two-factor authentication passkeys sessions devices export data delete account notifications',
  billing: 'plan subscription invoice receipt refund payment card tax address coupon cancel upgrade packs',
};
const pageKeywords: Partial<Record<string, string>> = {
  [paths.pricing]: 'plans prices upgrade enterprise',
  [paths.documentation]: 'api guide sdk examples webhooks',
  [paths.careers]: 'jobs openings positions',
  [paths.status]: 'uptime incidents maintenance',
  [paths.help]: 'support questions articles',
  [paths.contact]: 'support message feedback sales',
  [paths.privacy]: 'data cookies',
  [paths.terms]: 'legal conditions refund',
};

const keysOf = (id: ShortcutId) => shortcuts.find((row) => row.id === id)?.keys;

/** Lists the pages that a user can open, each path once. */
export function listPages(user: User | null): PaletteCommand[] {
  const audience = user ? 'user' : 'visitor';
  const linked = siteLinks
    .filter(({ bar, footer }) => bar.includes(audience) || footer.includes(audience))
    .map(({ label, to }) => ({ label, to, icon: FileText, keywords: pageKeywords[to] }));
  const home = { label: homeName, to: paths.home, icon: House, keys: keysOf('home') };
  const pages = [home, ...(user ? listUserPages() : [visitorPage]), ...linked];
  return pages
    .filter(({ to }, index) => pages.findIndex((page) => page.to === to) === index)
    .map((page) => ({ ...page, id: `page ${page.to}`, group: 'pages' }));
}

const visitorPage = { label: navigation.signIn, to: paths.auth, icon: LogIn };

function listUserPages() {
  const tab = (name: string) => `${paths.dashboard}?tab=${name}`;
  const { tabs } = dashboardMessages;
  return [
    {
      label: navigation.dashboard,
      to: paths.dashboard,
      icon: Images,
      keys: keysOf('dashboard'),
      keywords: accountKeywords.process,
    },
    { label: tabs.activity, to: tab('activity'), icon: ListChecks, keywords: accountKeywords.activity },
    { label: tabs['api-keys'], to: tab('api-keys'), icon: KeyRound, keywords: accountKeywords.apiKeys },
    { label: navigation.account, to: paths.account, icon: CircleUser, keywords: accountKeywords.account },
    { label: navigation.billing, to: paths.billing, icon: CreditCard, keywords: accountKeywords.billing },
  ];
}

/** Lists the pages in the admin sidebar, each once, and the quick actions. */
export function listAdminPages(user: User | null): PaletteCommand[] {
  if (!user?.isAdmin) return [];
  const entries = entriesFor(user.permissions).flatMap(({ label, icon, to, links }) => [
    ...(to ? [{ label, icon, to, keywords: findKeywords(to) }] : []),
    ...links.map((link) => ({
      ...{ label: `${label}: ${link.label}`, icon, to: link.to },
      keywords: findKeywords(link.to),
    })),
  ]);
  const viewSite: PaletteCommand = {
    id: 'admin view-site',
    group: 'admin',
    label: adminMessages.quickActions.viewSite,
    icon: ExternalLink,
    run: () => void window.open(paths.home, '_blank', 'noopener'),
  };
  const pages = entries.filter(({ to }, index) => entries.findIndex((page) => page.to === to) === index);
  return [...pages.map((page) => ({ ...page, id: `admin ${page.to}`, group: 'admin' as const })), viewSite];
}
