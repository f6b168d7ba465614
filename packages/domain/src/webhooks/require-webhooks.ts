import { AppError } from '@uprez/contracts/errors/app-error';
import { checkPlanLimits } from '@uprez/contracts/policy/plans/check-plan-limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans, tiers } from '@uprez/contracts/policy/plans/plans';
import { formatList } from '@uprez/contracts/texts/format';
import { requirePublicUrl } from '@uprez/guarded-fetch/find-addresses';
import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';
import { ensureJobsEndpoint } from './get-webhook.ts';

const webhookPlanNames = formatList(
  tiers
    .filter((tier) => checkPlanLimits(currentPlans[tier], { what: 'webhooks' }).ok)
    .map((tier) => currentPlans[tier].name),
);

/** Throws `plan_feature` for a plan without webhooks. `sandbox`: whether the webhooks are for sandbox events. */
export function requireWebhooks(plan: Plan, { sandbox, param }: { sandbox: boolean; param?: string }): void {
  const permission = checkPlanLimits(plan, { what: 'webhooks', sandbox });
  if (permission.ok) return;
  throw new AppError('plan_feature', {
    detail: `Your plan doesn't include webhooks. Upgrade to ${webhookPlanNames}, or use the event feed.`,
    hint: 'Upgrade to a plan that includes webhooks, or poll GET /v1/events.',
    ...(param && { param }),
    meta: { unlockedBy: permission.unlockedBy },
  });
}

type WebhookUrl = { text: string; param: string; sandbox: boolean };

/** Whether sandbox events may be sent to loopback addresses. */
export const allowsLoopback = ({ network }: Needs<'network'>, { sandbox }: { sandbox: boolean }): boolean =>
  sandbox && network?.sandboxLoopback === true;

/**
 * Checks an endpoint's URL and the IP addresses that its host currently resolves to. Throws `url_not_allowed` or
 * `url_unreachable` for `param`.
 */
export async function requireWebhookUrl(ctx: Needs<'network'>, { text, param, sandbox }: WebhookUrl) {
  try {
    const options = { resolve: ctx.network?.resolve, allowsLoopback: allowsLoopback(ctx, { sandbox }) };
    return (await requirePublicUrl(text, options)).href;
  } catch (error) {
    throw error instanceof AppError ? error.with({ param }) : error;
  }
}

/**
 * Checks the webhook URL of an individual job, and creates the endpoint for such URLs if it doesn't exist yet. Throws
 * `plan_feature` or the errors of `requireWebhookUrl`.
 */
export async function registerJobWebhook(
  ctx: Needs<'db' | 'vault' | 'network'>,
  { actor, url, param }: { actor: Actor; url: string; param: string },
): Promise<string> {
  requireWebhooks(actor.plan, { sandbox: isSandbox(actor), param });
  const checked = await requireWebhookUrl(ctx, { text: url, param, sandbox: isSandbox(actor) });
  await ensureJobsEndpoint(ctx, { actor });
  return checked;
}
