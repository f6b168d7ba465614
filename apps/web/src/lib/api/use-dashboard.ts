import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';

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
