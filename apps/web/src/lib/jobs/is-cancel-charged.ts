/** Processing continues while the user reads, so a cancellation shortly before the end of the free time counts. */
const readingMs = 3_000;

/** Whether canceling a job would be charged now. */
export const isCancelCharged = ({ freeCancelUntil }: { freeCancelUntil?: string | undefined }, nowMs = Date.now()) =>
  freeCancelUntil !== undefined && Date.parse(freeCancelUntil) <= nowMs + readingMs;
