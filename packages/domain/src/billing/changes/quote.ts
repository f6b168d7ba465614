import { AppError } from '@uprez/contracts/errors/app-error';
import { billingRules } from '@uprez/contracts/policy/billing/billing';
import type { ChangePreview } from '@uprez/contracts/schemas/billing/billing';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../../context.ts';

/** Contents of a preview. `today` and `next` are in cents due. `today` is null if nothing is billed. */
export type Quote = {
  kind: ChangePreview['kind'];
  subscriptionId: string;
  priceId: string;
  /** Unix time in seconds. */
  quotedAtS: number;
  today: number | null;
  next: number;
  /** Coupon code in upper case. Null means none. */
  code: string | null;
};

const purposeOf = (accountId: string) => `billing preview:${accountId}`;

/** Seals a quote, so that a change can prove what the user saw. */
export function sealQuote({ vault }: Needs<'vault'>, accountId: string, quote: Quote): string {
  const { kind, subscriptionId, priceId, quotedAtS, today, next, code } = quote;
  const values = [kind, subscriptionId, priceId, quotedAtS, today, next, code];
  return vault.seal(JSON.stringify(values), purposeOf(accountId));
}

export const quoteEndsAt = ({ quotedAtS }: Quote): Date =>
  new Date((quotedAtS + billingRules.previewMinutes * 60) * 1_000);

/**
 * Unseals the quote of a preview. Throws AppError `preview_changed` if it's invalid, has expired, or belongs to another
 * account.
 */
export async function openQuote(
  { db, vault }: Needs<'db' | 'vault'>,
  { accountId, previewId }: { accountId: string; previewId: string },
): Promise<Quote> {
  const quote = parse(() => vault.unseal(previewId, purposeOf(accountId)));
  if (!quote || quoteEndsAt(quote) <= (await readClock(db))) throw new AppError('preview_changed');
  return quote;
}

function parse(unseal: () => string): Quote | undefined {
  try {
    // Only values sealed by `sealQuote` can be unsealed.
    const [kind, subscriptionId, priceId, quotedAtS, today, next, code = null] = JSON.parse(unseal());
    return { kind, subscriptionId, priceId, quotedAtS, today, next, code };
  } catch {
    return undefined;
  }
}
