import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Site } from '@uprez/contracts/schemas/admin/settings';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';

const installationPollMs = 5_000;
const pausePollMs = 30_000;

/**
 * The engines of the workers, with their measured speed. Polled while one of them is being installed. `isLive`: also while
 * the tab is visible, for components that say that an engine is paused.
 */
export const useEngines = ({ isLive = false } = {}) =>
  useQuery<Engine[]>({
    queryKey: [apiRoutes.listEngines.path],
    refetchInterval: ({ state }) =>
      state.data?.some(({ installing }) => installing) ? installationPollMs : isLive && pausePollMs,
  });

/** The plans on sale, smallest first. */
export const usePlans = () => useQuery<PlanCard[]>({ queryKey: [apiRoutes.listPlans.path] });

/** Public settings of the site: name, contact, and password policy. */
export const useSite = () => useQuery<Site>({ queryKey: [apiRoutes.site.path] });

/** Query key of the counters, the quota, and the newest jobs of the account. */
export const dashboardKey = [apiRoutes.dashboardStats.path] as const;

/** Usage and quota of the account. `refetchInterval`: milliseconds, for components that show live numbers. */
export const useDashboard = (options: { enabled?: boolean; refetchInterval?: number } = {}) =>
  useQuery<Dashboard>({
    queryKey: dashboardKey,
    // Live components do not start with cached numbers.
    refetchOnMount: options.refetchInterval ? 'always' : true,
    ...options,
  });

export const userKey = [apiRoutes.user.path] as const;
