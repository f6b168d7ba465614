import * as z from 'zod';

/** Marks objects of this product in a Stripe account that others may use too. */
export const appName = 'uprez';

/** ID of an object that Stripe sends as its ID or, where expanded, as a whole. */
export const idField = z
  .union([z.string(), z.looseObject({ id: z.string() })])
  .transform((value) => (typeof value === 'string' ? value : value.id));
export const optionalIdField = idField.nullish().transform((value) => value ?? null);

/** Unix seconds. */
export const timeField = z.int().transform((seconds) => new Date(seconds * 1_000));
export const optionalTimeField = timeField.nullish().transform((value) => value ?? null);
export const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** An integer in the smallest unit of the currency, negative for credits. */
export const centsField = z.int();
export const currencyField = z.string().regex(/^[a-z]{3}$/);

/** Stripe's metadata: texts by name. */
export const metadataField = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

/** Origin of an object: our account and the row of the call that created it. */
export type Origin = { accountId: string; callId: string };

export const originMetadata = ({ accountId, callId }: Origin) => ({ app: appName, account: accountId, call: callId });

/** The account and the call of an object, null in objects that aren't ours: others may use the same keys. */
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

/** A promotion code for a subscription, and its running discounts that stay: Stripe drops those that aren't named. */
export type AddedCode = { promotionCodeId: string; keptDiscountIds: readonly string[] };

/** The parameter of updates and previews. Without a code, discounts stay as they are. */
export const toDiscountParams = ({ code }: { code?: AddedCode | null | undefined }) =>
  code && {
    discounts: [...code.keptDiscountIds.map((discount) => ({ discount })), { promotion_code: code.promotionCodeId }],
  };
