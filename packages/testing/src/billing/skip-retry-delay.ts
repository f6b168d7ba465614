import type { Payments } from '@uprez/payments/open-payments';
import { getClient } from '@uprez/payments/transport/client';

/** Makes the SDK retry without its half-second delay, which would take up most of a test's time. */
export function skipRetryDelay(payments: Payments): Payments {
  getClient(payments).stripe.getInitialNetworkRetryDelay = () => 0;
  return payments;
}
