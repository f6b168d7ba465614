import { AppError } from '@uprez/contracts/errors/app-error';
import { may } from '@uprez/contracts/policy/may';
import { plans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import { formatList } from '@uprez/contracts/texts/format';

const withWebhooks = formatList(
  tiers.filter((tier) => may(tier, { what: 'webhooks' }).ok).map((tier) => plans[tier].name),
);

/**
 * Throws `plan_feature` for a plan without webhooks, with the smallest plan that has them. `sandbox`: for events of the
 * sandbox.
 */
export function requireWebhooks(tier: Tier, { sandbox, param }: { sandbox: boolean; param?: string }): void {
  const permission = may(tier, { what: 'webhooks', sandbox });
  if (permission.ok) return;
  throw new AppError('plan_feature', {
    detail: `Your plan doesn't include webhooks. Upgrade to ${withWebhooks}, or use the event feed.`,
    hint: 'Upgrade to a plan that includes webhooks, or poll GET /v1/events.',
    ...(param && { param }),
    meta: { unlockedBy: permission.unlockedBy },
  });
}
