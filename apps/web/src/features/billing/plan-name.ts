import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { NewSubscription } from '@uprez/contracts/schemas/billing/billing';
import { formatPrice } from '@uprez/contracts/texts/format';
import { billingMessages } from './messages.ts';

export const planName = (tier: Tier): string => currentPlans[tier].name;

type BoughtPlan = NewSubscription['plan'];

/** The price of a plan: `$7 per month`. */
export const formatPlanPrice = ({ price, interval }: BoughtPlan): string =>
  billingMessages.price(formatPrice(price.amount / 100, price.currency), interval);
