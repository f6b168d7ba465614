import { may } from '@uprez/contracts/policy/may';
import type { User } from '@uprez/contracts/schemas/user';
import { lazy, type ReactNode, Suspense } from 'react';
import { dashboardMessages } from '../features/dashboard/messages.ts';
import { useSearchParam } from '../lib/browser/use-search-param.ts';
import { SectionErrorBoundary } from '../ui/feedback/section-error-boundary.tsx';
import { Delayed, Skeleton } from '../ui/feedback/skeleton.tsx';
import { Tabs } from '../ui/layout/tabs.tsx';

const BulkProcessor = lazy(async () => ({
  default: (await import('../features/bulk/bulk-processor.tsx')).BulkProcessor,
}));
const DashboardActivity = lazy(async () => ({
  default: (await import('./dashboard-activity.tsx')).DashboardActivity,
}));
const DashboardApi = lazy(async () => ({ default: (await import('./dashboard-api.tsx')).DashboardApi }));

const text = dashboardMessages.tabs;
const choices = ['processor', 'activity', 'api-keys'] as const;

function TabContent({ children }: { children: ReactNode }) {
  return (
    <SectionErrorBoundary>
      <Suspense
        fallback={
          <Delayed>
            <Skeleton className="h-96 rounded-card" />
          </Delayed>
        }
      >
        {children}
      </Suspense>
    </SectionErrorBoundary>
  );
}

/** The tabs of the dashboard. The processor stays mounted, so that uploads continue. */
export function DashboardTabs({ user }: { user: User }) {
  const [tab, choose] = useSearchParam({ name: 'tab', choices, fallback: 'processor', addsHistory: true });
  const keys = (
    <TabContent>
      <DashboardApi user={user} />
    </TabContent>
  );
  const hasKeys = may(user.subscriptionTier, { what: 'api' }).ok;
  const processor = (
    <TabContent>
      <BulkProcessor />
    </TabContent>
  );
  const activity = (
    <TabContent>
      <DashboardActivity onProcess={() => choose('processor')} />
    </TabContent>
  );
  return (
    <div className="grid gap-5">
      <Tabs
        label={text.label}
        value={tab}
        onChange={choose}
        tabs={[
          { value: 'processor', label: text.processor, content: processor, kept: true },
          { value: 'activity', label: text.activity, content: activity },
          ...(hasKeys ? [{ value: 'api-keys' as const, label: text['api-keys'], content: keys }] : []),
        ]}
      />
      {/* Links can lead here on plans without the tab; then the offer is shown. */}
      {tab === 'api-keys' && !hasKeys && <section aria-label={text['api-keys']}>{keys}</section>}
    </div>
  );
}
