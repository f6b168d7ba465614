import { useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { dashboardRules } from '@uprez/contracts/policy/dashboard-rules';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { User } from '@uprez/contracts/schemas/user';
import { useEffect } from 'react';
import { subscribeToJobs } from '../../lib/api/job-events.ts';
import { dashboardKey, useDashboard, userKey } from '../../lib/api/queries.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';

/** Events within this time are combined into one refetch. */
const gatherMs = 500;
const counted = [
  dashboardKey,
  [apiRoutes.usage.path],
  [apiRoutes.listLedger.path],
  [apiRoutes.listApiKeys.path],
] as const;

/** The live counters of the account. Job events trigger a refetch; polling is the fallback. */
export function useLiveDashboard(user: User) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const statuses = new Map<string, JobStatus>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer = undefined;
      for (const queryKey of counted) void queryClient.invalidateQueries({ queryKey });
    };
    const stop = subscribeToJobs(({ id, status }) => {
      if (statuses.get(id) === status) return;
      statuses.set(id, status);
      timer ??= setTimeout(look, gatherMs);
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
