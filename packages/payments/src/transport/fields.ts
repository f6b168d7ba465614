import * as z from 'zod';

/** Marks objects of this product in a Stripe account that may be shared with other products. */
export const appName = 'uprez';

/** ID of an object that Stripe sends as an ID or, if expanded, as an object. */
export const idField = z
  .union([z.string(), z.looseObject({ id: z.string() })])
  .transform((value) => (typeof value === 'string' ? value : value.id));
export const optionalIdField = idField.nullish().transform((value) => value ?? null);

/** Time in Unix seconds. */
export const timeField = z.int().transform((seconds) => new Date(seconds * 1_000));
export const optionalTimeField = timeField.nullish().transform((value) => value ?? null);
export const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** Integer amount in the smallest unit of the currency. Negative for credits. */
export const centsField = z.int();
export const currencyField = z.string().regex(/^[a-z]{3}$/);

export const metadataField = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

/** Origin of an object: our account, and the stored call that created the object at Stripe. */
export type Origin = { accountId: string; callId: string };

export const originMetadata = ({ accountId, callId }: Origin) => ({ app: appName, account: accountId, call: callId });

/**
 * Returns the account and the call that an object belongs to. Both are null if the object isn't ours, because other
 * products may use the same metadata keys.
 */
export const toOrigin = ({ app, account, call }: Record<string, string>) => ({
  accountId: (app === appName && account) || null,
  callId: (app === appName && call) || null,
});

export const sumAmounts = (entries: readonly { amount: number }[] | null | undefined): number =>
  (entries ?? []).reduce((sum, { amount }) => sum + amount, 0);

export const amountsField = z
  .array(z.object({ amount: centsField }))
  .nullish()
  .transform(sumAmounts);

/**
 * A promotion code to add to a subscription, and the active discounts to keep, because Stripe drops discounts that
 * aren't listed.
 */
export type AddedCode = { promotionCodeId: string; keptDiscountIds: readonly string[] };

/** Returns the `discounts` parameter for updates and previews. Without a code, the discounts don't change. */
export const toDiscountParams = ({ code }: { code?: AddedCode | null | undefined }) =>
  code && {
    discounts: [...code.keptDiscountIds.map((discount) => ({ discount })), { promotion_code: code.promotionCodeId }],
  };
