import { api } from '../../../lib/api/api.ts';
import type { PlanChoice } from '../../../lib/billing/plan-paths.ts';
import { useBilling, useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { findStanding, type Standing } from './find-standing.ts';

/**
 * What the account already has of a choice; undefined until it is known. It is read again when the tab gets the focus: the plan
 * may have been bought in another one. Without an answer of the server, the order is left to say why.
 */
export function useStanding(choice: PlanChoice | null) {
  const { data, isError } = useBilling({ enabled: choice !== null, isLive: true });
  const store = useStoreBilling();
  /** Asks the payment provider, whose events may be late. Throws ApiError. */
  const check = async (): Promise<Standing> => {
    const { data: billing } = await api.refreshBilling({ body: {} });
    store(billing);
    return choice ? findStanding(choice, billing) : 'open';
  };
  const standing: Standing | undefined = choice && data ? findStanding(choice, data) : isError ? 'open' : undefined;
  return { standing, subscription: data?.subscription ?? null, check };
}
