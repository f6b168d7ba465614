import type { Audit } from '@uprez/contracts/schemas/audit';
import { adminPages } from '@uprez/contracts/texts/admin-pages';

const searchFor = (page: string, text: string) => `${page}?${new URLSearchParams({ search: text })}`;

/** The page of what a row is about; undefined without such a page. */
export function subjectLink({ kind, id, email }: Audit['subject']): string | undefined {
  if (kind === 'settings') return id === 'billing' ? adminPages.prices : undefined;
  if (id === null) return undefined;
  if (kind === 'user') return email === null ? undefined : searchFor(adminPages.dashboard, email);
  if (kind === 'payment') return searchFor(adminPages.transactions, id);
  if (kind === 'subscription') return searchFor(adminPages.payments, id);
  return kind === 'stripe_event' ? searchFor(adminPages.inbox, id) : undefined;
}
