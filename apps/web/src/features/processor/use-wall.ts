import type { Estimate } from '@uprez/contracts/estimate';
import { plans } from '@uprez/contracts/plans';
import type { User } from '@uprez/contracts/user';
import { findWall } from '../../lib/quota-text.ts';
import { useDashboard } from '../../lib/use-dashboard.ts';

/** What of the user's plan is used up that a picture would need, where the plan pauses then. */
export function useWall(estimate: Estimate | undefined, user: User | null) {
  const { data } = useDashboard({ enabled: user !== null });
  if (!data || !estimate || !user || !plans[user.subscriptionTier].hardStop) return undefined;
  return findWall(data.quota, estimate);
}
