import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';

/** Search keywords of pages that their names don't include. Pages of single records are found through their lists. */
const pageKeywords: Partial<Record<string, string>> = {
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

/** Returns the search keywords of a link's page. The link may have a query. */
export const findKeywords = (to: string): string | undefined => pageKeywords[to.split('?', 1)[0] ?? ''];
