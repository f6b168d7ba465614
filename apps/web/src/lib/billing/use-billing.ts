import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { dashboardKey, userKey } from '../api/queries.ts';
import { shareUserChange } from '../session/session-lifecycle.ts';

export const billingKey = [apiRoutes.billing.path] as const;
export const invoicesKey = [apiRoutes.listInvoices.path] as const;

type BillingOptions = {
  enabled?: boolean;
  /** Whether to refetch on every mount and window focus. */
  isLive?: boolean;
  /** Returns the milliseconds until the next refetch, or false for none. */
  refetchInterval?: (billing: Billing | undefined) => number | false;
};

export const useBilling = ({ enabled = true, isLive = false, refetchInterval }: BillingOptions = {}) =>
  useQuery<Billing>({
    queryKey: billingKey,
    enabled,
    ...(isLive && { refetchOnMount: 'always', refetchOnWindowFocus: 'always' }),
    ...(refetchInterval && { refetchInterval: ({ state }) => refetchInterval(state.data) }),
  });

/** Returns a function that stores the billing data from a response and refetches what depends on the plan. */
export function useStoreBilling(): (billing: Billing) => void {
  const queryClient = useQueryClient();
  return (billing) => {
    queryClient.setQueryData(billingKey, billing);
    for (const queryKey of [userKey, dashboardKey, invoicesKey]) void queryClient.invalidateQueries({ queryKey });
    shareUserChange();
  };
}
