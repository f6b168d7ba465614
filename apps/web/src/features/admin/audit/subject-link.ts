import type { Audit } from '@uprez/contracts/schemas/admin/audit';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { campaignPath, postPath, ticketPath, userPath } from '../frame/admin-paths.ts';
import { jobPath } from '../jobs/links.ts';

/** The pages of settings, by the name of the settings. */
const settingsPages: Readonly<Record<string, string | undefined>> = {
  site: adminPages.settings,
  seo: adminPages.settingsSeo,
  email: adminPages.settingsEmail,
  security: adminPages.security,
  billing: adminPages.prices,
};

/** List pages that aren't searched by ID, by the kind of the subject. */
const listPages: Readonly<Record<string, string | undefined>> = {
  coupon: adminPages.coupons,
  lead: adminPages.leads,
  invitation: adminPages.newUser,
  anomaly: adminPages.accessLog,
  api_key: adminPages.apiKeys,
  engine: adminPages.jobs,
  worker: adminPages.jobs,
  pool: adminPages.jobs,
  subscriber: adminPages.subscribers,
  category: `${adminPages.posts}?tab=categories`,
};

const searchFor = (page: string, text: string) => `${page}?${new URLSearchParams({ search: text })}`;

type Linked = Pick<Audit['subject'], 'kind' | 'id'> & Partial<Pick<Audit['subject'], 'email'>>;

/** Returns the path of the subject's page, or undefined if there is none. */
export function subjectLink({ kind, id, email = null }: Linked): string | undefined {
  if (id === null) return undefined;
  if (kind === 'settings') return settingsPages[id];
  if (kind === 'user') return email === null ? undefined : userPath(id);
  if (kind === 'payment') return searchFor(adminPages.transactions, id);
  if (kind === 'subscription') return searchFor(adminPages.payments, id);
  if (kind === 'job') return jobPath(id);
  if (kind === 'ticket') return ticketPath(id);
  if (kind === 'article') return postPath(id);
  if (kind === 'campaign') return campaignPath(id);
  if (kind === 'stripe_event') return searchFor(adminPages.inbox, id);
  return Object.hasOwn(listPages, kind) ? listPages[kind] : undefined;
}
