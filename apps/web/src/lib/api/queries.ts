import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Site } from '@uprez/contracts/schemas/admin/settings';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';
import type { PlanCard } from '@uprez/contracts/schemas/plan-card';

const installationPollMs = 5_000;
const pausePollMs = 30_000;

/**
 * Queries the workers' engines with their measured speed. Polls while an engine is being installed. `isLive`: always
 * polls, for components that report a paused engine.
 */
export const useEngines = ({ isLive = false } = {}) =>
  useQuery<Engine[]>({
    queryKey: [apiRoutes.listEngines.path],
    refetchInterval: ({ state }) =>
      state.data?.some(({ installing }) => installing) ? installationPollMs : isLive && pausePollMs,
  });

/** Queries the plans that can be bought, smallest first. */
export const usePlans = () => useQuery<PlanCard[]>({ queryKey: [apiRoutes.listPlans.path] });

export const useSite = () => useQuery<Site>({ queryKey: [apiRoutes.site.path] });

export const dashboardKey = [apiRoutes.dashboardStats.path] as const;

/** `refetchInterval`: in milliseconds, for components that show live numbers. */
export const useDashboard = (options: { enabled?: boolean; refetchInterval?: number } = {}) =>
  useQuery<Dashboard>({
    queryKey: dashboardKey,
    // Components that show live numbers don't start with cached ones.
    refetchOnMount: options.refetchInterval ? 'always' : true,
    ...options,
  });

export const userKey = [apiRoutes.user.path] as const;
