import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { may } from '@uprez/contracts/policy/may';
import { plans } from '@uprez/contracts/policy/plans';
import { findUser } from '@uprez/db/queries/accounts/users';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { checkEntitlement } from '@uprez/imaging/plan/check-entitlement';
import { checkOutput } from '@uprez/imaging/plan/check-output';
import { targetSize } from '@uprez/imaging/plan/target-size';
import type { Needs } from '../../context.ts';

export type PlanError = { code: ErrorCode; detail: string };
type Accepted = Pick<JobRow, 'accountId' | 'kind' | 'surface' | 'recipe' | 'plan'>;

/** Check an accepted job against the account's current plan. Returns the error, if any. Previews have no plan. */
export async function recheckPlan(ctx: Needs<'db'>, job: Accepted): Promise<PlanError | undefined> {
  const user = job.accountId && job.kind === 'image' ? await findUser(ctx.db, job.accountId) : undefined;
  if (!user) return undefined;
  const { tier } = user;
  if (job.surface === 'api' && !may(tier, { what: 'api' }).ok)
    return { code: 'plan_feature', detail: 'Your plan no longer includes the API.' };
  const { factor } = targetSize(job.recipe, job.plan.source);
  return checkOutput(job.plan.output, plans[tier].maxOutputPixels) ?? checkEntitlement(job.plan, factor, tier);
}
