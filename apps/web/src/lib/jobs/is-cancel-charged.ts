/**
 * Time to read the confirmation. Processing continues during it, so a cancellation this close to the end of the free
 * period counts as charged.
 */
const confirmationMs = 3_000;

/** Whether canceling a job would be charged now. */
export const isCancelCharged = ({ freeCancelUntil }: { freeCancelUntil?: string | undefined }, nowMs = Date.now()) =>
  freeCancelUntil !== undefined && Date.parse(freeCancelUntil) <= nowMs + confirmationMs;
