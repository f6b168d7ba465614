import type { Payments } from '@uprez/payments/open-payments';
import { getClient } from '@uprez/payments/transport/client';

/** Makes the SDK retry without its half-second delay, which would take most of the time of a test. */
export function skipRetryDelay(payments: Payments): Payments {
  getClient(payments).stripe.getInitialNetworkRetryDelay = () => 0;
  return payments;
}
