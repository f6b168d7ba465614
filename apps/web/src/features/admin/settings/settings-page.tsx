import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { AdminPage } from '../frame/admin-page.tsx';
import { type SettingsScreen, settingsMessages as text } from './messages.ts';

const pageOf = {
  site: adminPages.settings,
  seo: adminPages.settingsSeo,
  email: adminPages.settingsEmail,
} as const satisfies Record<SettingsScreen, string>;
const screens = Object.keys(pageOf) as SettingsScreen[];

/** The path of the history of settings. */
export const historyPage = (name: string): string => adminPages.settingsHistory.replace(':name', name);

const tabStyle =
  'control -mb-px inline-flex shrink-0 items-center border-transparent border-b-2 px-3 text-muted text-sm -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink';

type SettingsPageProps<Data> = { screen: SettingsScreen; path: string; children: (data: Data) => ReactNode };

/** A tab of the settings. Its values are read when it opens, and not again while they are edited. */
export function SettingsPage<Data>({ screen, path, children }: SettingsPageProps<Data>) {
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
      <nav aria-label={text.tabsLabel} className="scroll-hint flex gap-1 overflow-x-auto border-line border-b">
        {screens.map((name) => (
          <Link key={name} to={pageOf[name]} aria-current={name === screen ? 'page' : undefined} className={tabStyle}>
            {text.tabs[name]}
          </Link>
        ))}
      </nav>
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {children}
      </QueryView>
    </AdminPage>
  );
}
