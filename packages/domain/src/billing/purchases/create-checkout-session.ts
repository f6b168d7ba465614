import { AppError } from '@uprez/contracts/errors/app-error';
import type { CallContext } from '../calls/call-kind.ts';
import { buyHosted } from './buy-hosted.ts';
import { type PurchaseInput, startPurchase } from './start-purchase.ts';

/** Returns the page of Stripe on which a plan is bought. Throws the errors of `startPurchase`. */
export async function createCheckoutSession(ctx: CallContext, input: PurchaseInput): Promise<{ url: string }> {
  const { url } = (await startPurchase(ctx, buyHosted, input)).offer;
  // Stripe leaves the URL out only once a session has ended.
  if (!url) throw new AppError('billing_unavailable');
  return { url };
}
