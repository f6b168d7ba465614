import { useQuery } from '@tanstack/react-query';
import type { User } from '@uprez/contracts/schemas/user';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { Link, useLocation } from 'react-router';
import { userKey } from '../../../lib/api/queries.ts';
import { adminMessages } from '../messages.ts';
import { type AdminPath, pagePermissions } from './admin-links.ts';

const tabStyle =
  'control -mb-px inline-flex shrink-0 items-center border-transparent border-b-2 px-3 text-muted text-sm -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink';

type PageTabsProps = { label: string; tabs: readonly { label: string; to: AdminPath }[] };

/** Tabs that link to pages. Shows only pages that the administrator's role includes. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const { data: user } = useQuery<User | null>({ queryKey: userKey });
  const { pathname } = useLocation();
  const shown = tabs.filter(({ to }) => user?.permissions.includes(pagePermissions[to]));
  return (
    <nav aria-label={label} className="scroll-hint flex gap-1 overflow-x-auto border-line border-b">
      {shown.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={tab.to === pathname ? 'page' : undefined} className={tabStyle}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}

const { entries, links } = adminMessages;
const newsletterTabs = [
  { label: links.campaigns, to: adminPages.campaigns },
  { label: links.subscribers, to: adminPages.subscribers },
] as const;

export const NewsletterTabs = () => <PageTabs label={links.campaigns} tabs={newsletterTabs} />;

const securityTabs = [
  { label: links.apiKeys, to: adminPages.apiKeys },
  { label: links.accessLog, to: adminPages.accessLog },
  { label: links.permissions, to: adminPages.permissions },
  { label: links.securitySettings, to: adminPages.security },
] as const;

export const SecurityTabs = () => <PageTabs label={entries.security} tabs={securityTabs} />;
