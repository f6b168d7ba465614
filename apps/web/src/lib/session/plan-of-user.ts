import { type Plan, planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { User } from '@uprez/contracts/schemas/user';

type Owner = Pick<User, 'subscriptionTier' | 'planVersion'>;

/** Returns the plan of a user, or the free plan for visitors. */
export const planOfUser = (user: Owner | null): Plan =>
  user ? planOf({ tier: user.subscriptionTier, planVersion: user.planVersion }) : currentPlans.free;
