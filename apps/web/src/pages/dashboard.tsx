import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { User } from '@uprez/contracts/schemas/user';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { AccountCard } from '../features/account/account-card.tsx';
import { dashboardMessages } from '../features/dashboard/messages.ts';
import { StatCards } from '../features/dashboard/stat-cards.tsx';
import { useLiveDashboard } from '../features/dashboard/use-live-dashboard.ts';
import { useSearchParam } from '../lib/browser/use-search-param.ts';
import { isFocusLost } from '../lib/layout/is-focus-lost.ts';
import { messages } from '../messages.ts';
import { paths } from '../site-map.ts';
import { Delayed, QueryView, Skeleton } from '../ui/feedback/query-view.tsx';
import { SectionErrorBoundary } from '../ui/feedback/section-error-boundary.tsx';
import { Card } from '../ui/layout/card.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';
import { Tabs } from '../ui/layout/tabs.tsx';
import { QuotaMeter } from '../ui/plans/quota-meter.tsx';

const BulkProcessor = lazy(async () => ({
  default: (await import('../features/bulk/bulk-processor.tsx')).BulkProcessor,
}));
const DashboardActivity = lazy(async () => ({
  default: (await import('./dashboard-activity.tsx')).DashboardActivity,
}));
const DashboardApi = lazy(async () => ({ default: (await import('./dashboard-api.tsx')).DashboardApi }));

const PurchaseResult = lazy(async () => ({
  default: (await import('../features/billing/result/purchase-result.tsx')).PurchaseResult,
}));

const { tabs: tabsText, quota: quotaText } = dashboardMessages;
const choices = ['processor', 'activity', 'api-keys'] as const;
const usagePath = `${paths.dashboard}?tab=activity&view=usage`;
const unitsPath = `${paths.dashboard}?tab=activity&view=units`;

const selectedTab = '[role="tab"][aria-selected="true"]';

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
function DashboardTabs({ user }: { user: User }) {
  const [tab, choose] = useSearchParam({ name: 'tab', choices, fallback: 'processor', addsHistory: true });
  const opened = useRef(tab);
  useEffect(() => {
    if (opened.current === tab) return;
    opened.current = tab;
    // A control that opens another tab disappears with its own, and a menu first returns the focus to its button.
    const frame = requestAnimationFrame(() => {
      if (isFocusLost()) document.querySelector<HTMLElement>(selectedTab)?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [tab]);
  const content = {
    processor: <BulkProcessor />,
    activity: <DashboardActivity onProcess={() => choose('processor')} />,
    'api-keys': <DashboardApi user={user} />,
  };
  return (
    <div className="grid gap-5">
      <Tabs
        label={tabsText.label}
        value={tab}
        onChange={choose}
        tabs={choices.map((value) => ({
          value,
          label: tabsText[value],
          content: <TabContent>{content[value]}</TabContent>,
          kept: value === 'processor',
        }))}
      />
    </div>
  );
}

function QuotaCard({ dashboard }: { dashboard: Dashboard }) {
  return (
    <Card title={quotaText.title}>
      <div className="grid gap-x-8 gap-y-4 sm:max-lg:grid-flow-col sm:max-lg:auto-cols-fr">
        {dashboard.quota.map((quota) => (
          <QuotaMeter key={quota.meter} quota={quota} dashboard={dashboard} />
        ))}
      </div>
      <Link
        to={unitsPath}
        preventScrollReset
        className="inline-flex min-h-6 items-center justify-self-start text-muted text-sm underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        {quotaText.units}
      </Link>
    </Card>
  );
}

function StatsSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="h-32 rounded-card" />
      ))}
    </div>
  );
}

/** What a return from a purchase has in its address. */
const returnNames = ['checkout', 'payment_intent', 'setup_intent'];

/** Loads and shows the result of a purchase that led here. */
function Purchase() {
  const [query] = useSearchParams();
  return (
    returnNames.some((name) => query.has(name)) && (
      <SectionErrorBoundary>
        <Suspense>
          <PurchaseResult />
        </Suspense>
      </SectionErrorBoundary>
    )
  );
}

/**
 * Tabs on the left, plan and account on the right, the counters above both. On small screens, the tabs come first:
 * people open this page to process images.
 */
export function DashboardPage({ user }: { user: User }) {
  const query = useLiveDashboard(user);
  return (
    <div className="mx-auto grid w-full max-w-300 grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-5 px-4 py-6 sm:px-6 sm:py-8 lg:grid-cols-[minmax(0,1fr)_19rem] lg:grid-rows-[auto_auto_auto_1fr]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:col-span-2">
        <PageHeading title={messages.page.dashboard} className="text-xl wrap-anywhere">
          {messages.navigation.welcome(user.firstName || user.email)}
        </PageHeading>
        <Purchase />
      </div>
      <div className="min-w-0 lg:row-span-2 lg:row-start-3">
        <DashboardTabs user={user} />
      </div>
      <div className="lg:col-span-2 lg:row-start-2">
        <QueryView query={query} skeleton={<StatsSkeleton />}>
          {(dashboard) => <StatCards dashboard={dashboard} usagePath={usagePath} />}
        </QueryView>
      </div>
      <div className="empty:hidden lg:col-start-2 lg:row-start-3">
        {query.data ? (
          <QuotaCard dashboard={query.data} />
        ) : (
          !query.isError && <Skeleton className="h-40 rounded-card" />
        )}
      </div>
      <div className="lg:col-start-2 lg:row-start-4">
        <SectionErrorBoundary>
          <AccountCard user={user} />
        </SectionErrorBoundary>
      </div>
    </div>
  );
}
