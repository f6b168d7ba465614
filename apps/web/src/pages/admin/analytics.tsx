import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { adminApi } from '../../features/admin/admin-api.ts';
import { AnalyticsControls } from '../../features/admin/analytics/analytics-controls.tsx';
import { AnalyticsView } from '../../features/admin/analytics/analytics-view.tsx';
import { analyticsMessages } from '../../features/admin/analytics/messages.ts';
import { OverviewTab } from '../../features/admin/analytics/overview-tab.tsx';
import { RevenueTab } from '../../features/admin/analytics/revenue-tab.tsx';
import { usePeriod } from '../../features/admin/analytics/use-period.ts';
import { UsersTab } from '../../features/admin/analytics/users-tab.tsx';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { Tabs } from '../../ui/layout/tabs.tsx';

const text = analyticsMessages.overview;
const tabs = ['overview', 'users', 'revenue'] as const;

/** Users, images, and revenue of a period. */
export function AnalyticsPage() {
  const [period] = usePeriod();
  const [tab, setTab] = useSearchParam({ name: 'tab', choices: tabs, fallback: 'overview' });
  const hasRevenue = useMay('revenue.read');
  const query = useQuery({
    queryKey: [adminRoutes.adminAnalytics.path, { period }],
    queryFn: async ({ signal }) => (await adminApi.adminAnalytics({ query: { period }, signal })).data,
    refetchOnMount: 'always',
  });
  const controls = (
    <AnalyticsControls
      tables={hasRevenue ? ['summary', 'days', 'cohorts', 'revenue', 'plans'] : ['summary', 'days', 'cohorts']}
    />
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={controls}>
      <AnalyticsView query={query}>
        {(analytics) => (
          <Tabs
            label={text.tabs.label}
            value={hasRevenue || tab !== 'revenue' ? tab : 'overview'}
            onChange={setTab}
            tabs={[
              { value: 'overview', label: text.tabs.overview, content: <OverviewTab analytics={analytics} /> },
              { value: 'users', label: text.tabs.users, content: <UsersTab analytics={analytics} /> },
              ...(analytics.revenue
                ? [
                    {
                      value: 'revenue' as const,
                      label: text.tabs.revenue,
                      content: (
                        <RevenueTab
                          revenue={analytics.revenue}
                          total={analytics.overview.totalRevenue ?? 0}
                          span={analytics}
                        />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </AnalyticsView>
    </AdminPage>
  );
}
