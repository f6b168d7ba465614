import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { Engine } from '@uprez/contracts/schemas/estimate';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';
import type { Site } from '@uprez/contracts/schemas/settings';

const installationPollMs = 5_000;

/** The engines of the workers, with their measured speed. Polled while one of them is being installed. */
export const useEngines = () =>
  useQuery<Engine[]>({
    queryKey: [routes.listEngines.path],
    refetchInterval: ({ state }) => state.data?.some(({ installing }) => installing) && installationPollMs,
  });

/** The plans on sale, smallest first. */
export const usePlans = () => useQuery<PlanCard[]>({ queryKey: [routes.listPlans.path] });

/** Public settings of the site: name, contact, and password policy. */
export const useSite = () => useQuery<Site>({ queryKey: [routes.site.path] });

/** Query key of the counters, the quota, and the newest jobs of the account. */
export const dashboardKey = [routes.dashboardStats.path] as const;

/** Usage and quota of the account. `refetchInterval`: milliseconds, for components that show live numbers. */
export const useDashboard = (options: { enabled?: boolean; refetchInterval?: number } = {}) =>
  useQuery<Dashboard>({
    queryKey: dashboardKey,
    // Live components do not start with cached numbers.
    refetchOnMount: options.refetchInterval ? 'always' : true,
    ...options,
  });

export const userKey = [routes.user.path] as const;
