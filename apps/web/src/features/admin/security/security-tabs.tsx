import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { PageTabs } from '../frame/page-tabs.tsx';
import { adminMessages } from '../messages.ts';

const { entries, links } = adminMessages;
const tabs = [
  { label: links.apiKeys, to: adminPages.apiKeys },
  { label: links.accessLog, to: adminPages.accessLog },
  { label: links.permissions, to: adminPages.permissions },
  { label: links.securitySettings, to: adminPages.security },
] as const;

/** The security pages as tabs. */
export const SecurityTabs = () => <PageTabs label={entries.security} tabs={tabs} />;
