import { may } from '@uprez/contracts/policy/may';
import type { User } from '@uprez/contracts/schemas/user';
import { lazy, type ReactNode, Suspense } from 'react';
import { useUrlChoice } from '../lib/browser/use-url-choice.ts';
import { dashboardMessages } from '../messages/dashboard.ts';
import { ErrorFence } from '../ui/feedback/error-fence.tsx';
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

/** Loads the code of a tab, and contains its errors. */
function Part({ children }: { children: ReactNode }) {
  return (
    <ErrorFence>
      <Suspense
        fallback={
          <Delayed>
            <Skeleton className="h-96 rounded-card" />
          </Delayed>
        }
      >
        {children}
      </Suspense>
    </ErrorFence>
  );
}

/** The tabs of the dashboard. The processor stays mounted, so that uploads continue. */
export function DashboardTabs({ user }: { user: User }) {
  const [tab, choose] = useUrlChoice({ name: 'tab', choices, fallback: 'processor', remembered: true });
  const keys = (
    <Part>
      <DashboardApi user={user} />
    </Part>
  );
  const hasKeys = may(user.subscriptionTier, { what: 'api' }).ok;
  const processor = (
    <Part>
      <BulkProcessor />
    </Part>
  );
  const activity = (
    <Part>
      <DashboardActivity onProcess={() => choose('processor')} />
    </Part>
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
