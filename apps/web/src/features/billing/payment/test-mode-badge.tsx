import { Badge } from '../../../ui/feedback/badge.tsx';
import { billingMessages } from '../messages.ts';
import type { Payments } from './open-stripe.ts';

const { testMode } = billingMessages.payment;

/** Says that no real money moves, where none does. */
export const TestModeBadge = ({ payments }: { payments: Payments | undefined }) =>
  payments?.isTest && <Badge kind="warning">{payments.isLocal ? testMode.local : testMode.sandbox}</Badge>;
