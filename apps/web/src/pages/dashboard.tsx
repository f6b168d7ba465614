import type { User } from '@uprez/contracts/schemas/user';
import { AccountCard } from '../features/account/account-card.tsx';
import { QuotaCard } from '../features/dashboard/quota-card.tsx';
import { StatCards } from '../features/dashboard/stat-cards.tsx';
import { useLiveDashboard } from '../features/dashboard/use-live-dashboard.ts';
import { useAuth } from '../features/session/auth-provider.tsx';
import { messages } from '../messages.ts';
import { paths } from '../site-map.ts';
import { QueryView } from '../ui/feedback/query-view.tsx';
import { SectionErrorBoundary } from '../ui/feedback/section-error-boundary.tsx';
import { Skeleton } from '../ui/feedback/skeleton.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';
import { DashboardTabs } from './dashboard-tabs.tsx';

const usagePath = `${paths.dashboard}?tab=activity&view=usage`;
const unitsPath = `${paths.dashboard}?tab=activity&view=units`;

function StatsSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="h-32 rounded-card" />
      ))}
    </div>
  );
}

/**
 * Statistics at the top, tabs on the left, plan and account on the right. On small screens, the plan comes before the
 * tabs.
 */
function Dashboard({ user }: { user: User }) {
  const query = useLiveDashboard(user.subscriptionTier);
  return (
    <div className="mx-auto grid w-full max-w-300 gap-5 px-4 py-6 sm:px-6 sm:py-8">
      <PageHeading title={messages.page.dashboard} className="text-xl wrap-anywhere">
        {messages.navigation.welcome(user.firstName || user.email)}
      </PageHeading>
      <QueryView query={query} skeleton={<StatsSkeleton />}>
        {(dashboard) => <StatCards dashboard={dashboard} usagePath={usagePath} />}
      </QueryView>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,1fr)_19rem] lg:grid-rows-[auto_1fr]">
        <div className="empty:hidden lg:col-start-2">
          {query.data ? (
            <QuotaCard dashboard={query.data} unitsPath={unitsPath} />
          ) : (
            !query.isError && <Skeleton className="h-40 rounded-card" />
          )}
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <DashboardTabs user={user} />
        </div>
        <div className="lg:col-start-2">
          <SectionErrorBoundary>
            <AccountCard user={user} />
          </SectionErrorBoundary>
        </div>
      </div>
    </div>
  );
}

export function DashboardPage() {
  const { user } = useAuth();
  return user && <Dashboard user={user} />;
}
