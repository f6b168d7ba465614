/** A promotion code for a subscription, and its running discounts that stay: Stripe drops those that aren't named. */
export type AddedCode = { promotionCodeId: string; keptDiscountIds: readonly string[] };

/** The parameter of updates and previews. Without a code, discounts stay as they are. */
export const toDiscountParams = ({ code }: { code?: AddedCode | null | undefined }) =>
  code && {
    discounts: [...code.keptDiscountIds.map((discount) => ({ discount })), { promotion_code: code.promotionCodeId }],
  };
