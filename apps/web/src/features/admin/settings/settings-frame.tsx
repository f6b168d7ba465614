import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { PageTabs } from '../frame/page-tabs.tsx';
import { type SettingsTab, settingsMessages as text } from './messages.ts';

const pageOf = {
  site: adminPages.settings,
  seo: adminPages.settingsSeo,
  email: adminPages.settingsEmail,
} as const satisfies Record<SettingsTab, string>;
const tabs = (Object.keys(pageOf) as SettingsTab[]).map((screen) => ({ label: text.tabs[screen], to: pageOf[screen] }));

/** The path of the history of settings. */
export const historyPage = (name: string): string => adminPages.settingsHistory.replace(':name', name);

type SettingsFrameProps<Data> = { screen: SettingsTab; path: string; children: (data: Data) => ReactNode };

/** Tab of the website settings. The values are loaded when it opens, and not refetched while they are edited. */
export function SettingsFrame<Data>({ screen, path, children }: SettingsFrameProps<Data>) {
  const query: UseQueryResult<Data> = useQuery<Data>({ queryKey: [path], gcTime: 0 });
  return (
    <AdminPage
      title={text.title}
      subtitle={text.subtitle}
      actions={
        <Link to={historyPage(screen)} className={buttonStyle({ look: 'secondary' })}>
          {text.history}
        </Link>
      }
    >
      <PageTabs label={text.tabsLabel} tabs={tabs} />
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {children}
      </QueryView>
    </AdminPage>
  );
}
