import { type Actor, isSandbox } from '../actor.ts';
import type { Needs } from '../context.ts';
import { ensureJobsEndpoint } from './ensure-jobs-endpoint.ts';
import { requireWebhookUrl } from './require-webhook-url.ts';
import { requireWebhooks } from './require-webhooks.ts';

/**
 * Check the address that a single job came with, and see that there is a secret to sign for it with. Throws
 * `plan_feature`, and what is wrong with the address, of this parameter.
 */
export async function takeJobWebhook(
  ctx: Needs<'db' | 'vault' | 'network'>,
  { actor, url, param }: { actor: Actor; url: string; param: string },
): Promise<string> {
  requireWebhooks(actor.tier, { sandbox: isSandbox(actor), param });
  const checked = await requireWebhookUrl(ctx, { text: url, param });
  await ensureJobsEndpoint(ctx, { actor });
  return checked;
}
