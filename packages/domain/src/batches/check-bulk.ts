import { AppError } from '@uprez/contracts/errors/app-error';
import { may } from '@uprez/contracts/policy/may';
import { plans, type Tier } from '@uprez/contracts/policy/plans';

/** Refuse more files at once than a plan includes: `plan_feature`, with the limit and the plan that allows them. */
export function checkBulk(tier: Tier, files: number): void {
  const permission = may(tier, { what: 'bulk', files });
  if (permission.ok) return;
  const { code, limit, value, unlockedBy } = permission;
  const opener = unlockedBy ? ` Upgrade to ${plans[unlockedBy].name} for up to ${plans[unlockedBy].bulkFiles}.` : '';
  throw new AppError(code, {
    detail: `Your plan allows batches of up to ${limit} images. This batch has ${value}.${opener}`,
    meta: { limit, value, ...(unlockedBy && { unlockedBy }) },
  });
}
