import { Badge } from '../../../ui/feedback/badge.tsx';
import { billingMessages } from '../messages.ts';
import type { Payments } from './open-stripe.ts';

const { testMode } = billingMessages.payment;

/** Badge for test mode, in which no real money moves. */
export const TestModeBadge = ({ payments }: { payments: Payments | undefined }) =>
  payments?.isTest && <Badge kind="warning">{payments.isLocal ? testMode.local : testMode.sandbox}</Badge>;
