import { useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { dashboardRules } from '@uprez/contracts/policy/admin/dashboard-rules';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Dashboard, Trend } from '@uprez/contracts/schemas/dashboard';
import type { User } from '@uprez/contracts/schemas/user';
import { formatBytes, formatCount } from '@uprez/contracts/texts/format';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { subscribeToJobs } from '../../lib/api/job-events.ts';
import { dashboardKey, useDashboard, userKey } from '../../lib/api/queries.ts';
import { useSearchParam } from '../../lib/browser/use-search-param.ts';
import { formatDuration, formatSigned } from '../../lib/format/format.ts';
import { isFocusLost } from '../../lib/layout/focus.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Tooltip } from '../../ui/controls/tooltip.tsx';
import { Delayed, QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { SectionErrorBoundary } from '../../ui/feedback/section-error-boundary.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { QuotaMeter } from '../../ui/plans/quota-meter.tsx';
import { AccountCard } from '../account/account-card.tsx';
import { dashboardMessages } from './messages.ts';

const usagePath = `${paths.dashboard}?tab=activity&view=usage`;

/** On small screens, the tabs come first, because people open this page to process images. */
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

const BulkProcessor = lazy(async () => ({
  default: (await import('../bulk/bulk-processor.tsx')).BulkProcessor,
}));

const ActivityTab = lazy(async () => ({
  default: (await import('./activity-tab.tsx')).ActivityTab,
}));

const ApiTab = lazy(async () => ({ default: (await import('./api-tab.tsx')).ApiTab }));

const PurchaseResult = lazy(async () => ({
  default: (await import('../billing/result/purchase-result.tsx')).PurchaseResult,
}));

const { tabs: tabsText, quota: quotaText } = dashboardMessages;

const tabNames = ['processor', 'activity', 'api-keys'] as const;

const unitsPath = `${paths.dashboard}?tab=activity&view=units`;

const selectedTabSelector = '[role="tab"][aria-selected="true"]';

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

/** The processor stays mounted, because unmounting it would interrupt uploads. */
function DashboardTabs({ user }: { user: User }) {
  const [tab, choose] = useSearchParam({ name: 'tab', choices: tabNames, fallback: 'processor', addsHistory: true });
  const opened = useRef(tab);
  useEffect(() => {
    if (opened.current === tab) return;
    opened.current = tab;
    // Opening another tab removes the control that was used, and the focus with it. Waits for a frame, because a menu
    // first returns the focus to its button.
    const frame = requestAnimationFrame(() => {
      if (isFocusLost()) document.querySelector<HTMLElement>(selectedTabSelector)?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [tab]);
  const content = {
    processor: <BulkProcessor />,
    activity: <ActivityTab onProcess={() => choose('processor')} />,
    'api-keys': <ApiTab user={user} />,
  };
  return (
    <div className="grid gap-5">
      <Tabs
        label={tabsText.label}
        value={tab}
        onChange={choose}
        tabs={tabNames.map((value) => ({
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

/** URL parameters that indicate a return from a purchase. */
const returnParamNames = ['checkout', 'payment_intent', 'setup_intent'];

function Purchase() {
  const [query] = useSearchParams();
  return (
    returnParamNames.some((name) => query.has(name)) && (
      <SectionErrorBoundary>
        <Suspense>
          <PurchaseResult />
        </Suspense>
      </SectionErrorBoundary>
    )
  );
}

/** Time for which events are collected before a refetch, in milliseconds. */
const batchWindowMs = 500;

const liveQueryKeys = [
  dashboardKey,
  [apiRoutes.usage.path],
  [apiRoutes.listLedger.path],
  [apiRoutes.listApiKeys.path],
] as const;

/** Keeps the account's counters up to date. Job events trigger a refetch, and polling is the fallback. */
function useLiveDashboard(user: User) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const statuses = new Map<string, JobStatus>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      for (const queryKey of liveQueryKeys) void queryClient.invalidateQueries({ queryKey });
    };
    const stop = subscribeToJobs(({ id, status }) => {
      if (statuses.get(id) === status) return;
      statuses.set(id, status);
      timer ??= setTimeout(look, batchWindowMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queryClient]);
  const query = useDashboard({ refetchInterval: dashboardRules.pollMs });
  const newPlan = query.data && planOfUser(query.data);
  const ownPlan = planOfUser(user);
  useEffect(() => {
    if (newPlan && newPlan !== ownPlan) void queryClient.invalidateQueries({ queryKey: userKey });
  }, [queryClient, newPlan, ownPlan]);
  return query;
}

const text = dashboardMessages.stats;

const formats = { imagesProcessed: formatCount, apiCalls: formatCount, avgProcessingTime: formatDuration };

type ComparedStat = keyof typeof formats;

const comparedStats = Object.keys(formats) as ComparedStat[];

/** Formats a counter. Returns a hyphen if the counter has no value yet. */
export function statText(stat: ComparedStat, value: Dashboard[ComparedStat]): string {
  return value === null ? text.none : formats[stat](value);
}

/** Describes how a counter has changed: a short label, and a sentence with both values. */
export function trendText(stat: ComparedStat, { change, current, previous }: Trend) {
  const format = formats[stat];
  return {
    short: `${text.change(formatSigned(change))} ${text.than(format(previous))}`,
    long: text.comparison(format(current), format(previous)),
  };
}

type StatCardProps = { label: string; value: string; note?: string; children: ReactNode };

function StatCard({ label, value, note, children }: StatCardProps) {
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-card border border-line bg-surface p-4">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-bold text-lg tracking-tight sm:text-xl tabular-nums">{value}</dd>
      {children && <dd className="text-muted text-xs tabular-nums">{children}</dd>}
      {note && <dd className="text-muted text-xs max-sm:sr-only">{note}</dd>}
    </div>
  );
}

type CardsProps = {
  dashboard: Dashboard;
  usagePath: string;
};

function Change({ stat, trend, usagePath }: { stat: ComparedStat; trend: Trend; usagePath: string }) {
  const { short, long } = trendText(stat, trend);
  return (
    <Tooltip text={long}>
      <Link
        to={usagePath}
        preventScrollReset
        className="inline-flex min-h-6 items-center rounded-control underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        {short}
      </Link>
    </Tooltip>
  );
}

function StatCards({ dashboard, usagePath }: CardsProps) {
  const { storageUsed, storageLimit, trends } = dashboard;
  return (
    <dl aria-label={text.label} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {comparedStats.map((stat) => (
        <StatCard key={stat} label={text[stat]} value={statText(stat, dashboard[stat])} note={text.notes[stat]}>
          {/* Without a previous period, there is nothing to compare with. */}
          {trends[stat] && <Change stat={stat} trend={trends[stat]} usagePath={usagePath} />}
        </StatCard>
      ))}
      <StatCard label={text.storage} value={formatBytes(storageUsed)}>
        {text.storageUse(formatBytes(storageLimit))}
      </StatCard>
    </dl>
  );
}
