import { toBillingError } from './to-billing-error.ts';

/** Waits for requests that only read. Their errors become public ones. */
export const readStripe = <Result>(reading: Promise<Result>): Promise<Result> =>
  reading.catch((error: unknown) => {
    throw toBillingError(error);
  });
