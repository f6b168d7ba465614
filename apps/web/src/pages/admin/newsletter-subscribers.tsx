import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { subscriberMessages as text } from '../../features/admin/newsletter/messages.ts';
import { NewsletterTabs } from '../../features/admin/newsletter/newsletter-tabs.tsx';
import { SubscriberList } from '../../features/admin/newsletter/subscriber-list.tsx';

/** The people who get news and status notifications. */
export const SubscribersPage = () => (
  <AdminPage title={text.title} subtitle={text.subtitle}>
    <NewsletterTabs />
    <SubscriberList />
  </AdminPage>
);
