import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { PageTabs } from '../frame/page-tabs.tsx';
import { adminMessages } from '../messages.ts';

const { links } = adminMessages;
const tabs = [
  { label: links.campaigns, to: adminPages.campaigns },
  { label: links.subscribers, to: adminPages.subscribers },
] as const;

/** The pages of the newsletter as tabs. */
export const NewsletterTabs = () => <PageTabs label={links.campaigns} tabs={tabs} />;
