import { AppError } from '@uprez/contracts/errors/app-error';
import { requirePublicUrl } from '@uprez/guarded-fetch/require-public-url';
import type { Needs } from '../context.ts';

/** Check an address that events shall go to, as it is today. Throws `url_not_allowed` or `url_unreachable` of this parameter. */
export async function requireWebhookUrl(
  ctx: Needs<'network'>,
  { text, param }: { text: string; param: string },
): Promise<string> {
  try {
    return (await requirePublicUrl(text, ctx.network)).href;
  } catch (error) {
    throw error instanceof AppError ? error.with({ param }) : error;
  }
}
