import { useQuery } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';

/** Query key of the counters, the quota and the newest jobs of the account. */
export const dashboardKey = [routes.dashboardStats.path] as const;

/** What the account used and what is left. `refetchInterval`, milliseconds: where the numbers are on the screen. */
export const useDashboard = (options: { enabled?: boolean; refetchInterval?: number } = {}) =>
  useQuery<Dashboard>({
    queryKey: dashboardKey,
    // Who looks again and again wants no old numbers to begin with.
    refetchOnMount: options.refetchInterval ? 'always' : true,
    ...options,
  });
