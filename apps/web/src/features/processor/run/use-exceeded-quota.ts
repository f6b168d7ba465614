import { plans } from '@uprez/contracts/policy/plans';
import type { Estimate } from '@uprez/contracts/schemas/estimate';
import type { User } from '@uprez/contracts/schemas/user';
import { useDashboard } from '../../../lib/api/use-dashboard.ts';
import { findExceededQuota } from '../../../ui/plans/quota-text.ts';

/** The quota that an image would exceed, on plans that pause then. */
export function useExceededQuota(estimate: Estimate | undefined, user: User | null) {
  const { data } = useDashboard({ enabled: user !== null });
  if (!data || !estimate || !user || !plans[user.subscriptionTier].hardStop) return undefined;
  return findExceededQuota(data.quota, estimate);
}
