import type { ChangePreview } from '@uprez/contracts/schemas/billing/billing';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../../context.ts';
import { presentBill } from '../present-bill.ts';
import { findWantedPrice } from './find-wanted-price.ts';
import { loadOwn } from './load-own.ts';
import { makeQuote } from './make-quote.ts';
import { quoteEndsAt, sealQuote } from './quote.ts';

type Input = { accountId: string; priceId: string };

/** What a change of the plan costs today and the next time. Changes nothing. Throws AppError. */
export async function previewChange(
  ctx: Needs<'db' | 'payments' | 'vault'>,
  { accountId, priceId }: Input,
): Promise<ChangePreview> {
  const own = await loadOwn(ctx, accountId);
  const { price: current, currency } = own.subscription;
  const price = await findWantedPrice(ctx, { priceId, current });
  const quotedAtS = Math.floor(Number(await readClock(ctx.db)) / 1_000);
  const { quote, today, at, nextAt } = await makeQuote(ctx, { own, price, quotedAtS });
  const { id, tier, interval, amount } = price;
  return {
    previewId: sealQuote(ctx, accountId, quote),
    expiresAt: quoteEndsAt(quote).toISOString(),
    kind: quote.kind,
    plan: { tier, interval, priceId: id, price: { amount, currency } },
    at: at.toISOString(),
    today: today && presentBill(today),
    next: { at: nextAt.toISOString(), amount: quote.next, currency },
  };
}
