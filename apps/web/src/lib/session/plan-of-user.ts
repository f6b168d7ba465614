import { type Plan, planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { User } from '@uprez/contracts/schemas/user';

type Owner = Pick<User, 'subscriptionTier' | 'planVersion'>;

/** What the plan of a user includes, or that of visitors. */
export const planOfUser = (user: Owner | null): Plan =>
  user ? planOf({ tier: user.subscriptionTier, planVersion: user.planVersion }) : currentPlans.free;
