/**
 * Time that the user needs to read the confirmation. Processing continues meanwhile, so a cancellation counts as
 * charged if the free period ends within this time.
 */
const confirmationMs = 3_000;

export const isCancelCharged = ({ freeCancelUntil }: { freeCancelUntil?: string | undefined }, nowMs = Date.now()) =>
  freeCancelUntil !== undefined && Date.parse(freeCancelUntil) <= nowMs + confirmationMs;
