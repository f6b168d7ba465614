import type { Payments } from '@uprez/payments/open-payments';
import { getClient } from '@uprez/payments/transport/client';

/** Makes the SDK retry at once. Its half second before each retry would take most of the time of a test. */
export function skipRetryDelay(payments: Payments): Payments {
  getClient(payments).stripe.getInitialNetworkRetryDelay = () => 0;
  return payments;
}
