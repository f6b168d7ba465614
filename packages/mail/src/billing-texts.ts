import { countImages } from '@uprez/contracts/policy/meters';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans';
import type { BillingMail } from '@uprez/contracts/schemas/billing/billing-mails';
import { formatList, formatMoney } from '@uprez/contracts/texts/format';
import { mailPages } from '@uprez/contracts/texts/pages';
import { formatMethod } from '@uprez/contracts/texts/payment-methods';
import { type MailContent, type MailFacts, pageUrl } from './mail-content.ts';
import { formatDay, oneLine } from './words.ts';

type Name = BillingMail['mail'];
type Texts = { [One in Name]: (mail: Extract<BillingMail, { mail: One }>, facts: MailFacts) => MailContent };
type Money = { amount: number; currency: string };

const planName = (tier: Tier) => `${currentPlans[tier].name} plan`;
/** `$7.70, including $0.70 tax`. */
const withTax = (money: Money & { tax: number }) =>
  formatMoney(money) + (money.tax > 0 ? `, including ${formatMoney({ ...money, amount: money.tax })} tax` : '');
const charged = (money: Money & { tax: number }) =>
  money.amount > 0 ? `We charged ${withTax(money)}.` : 'Nothing was due today.';
const nextBill = (at: string) => `Your next bill is on ${formatDay(at)}.`;
const endsUnlessPaid = (tier: Tier, at: string) =>
  `Your ${planName(tier)} ends on ${formatDay(at)} unless the bill is paid. Until then, its quota is reduced.`;
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const toBilling = (label: string, { publicUrl }: MailFacts) => ({
  action: { label, url: pageUrl(publicUrl, mailPages.billing) },
});

/** Leads through the sign-in to the order. */
const orderPage = (tier: Tier, interval: string) =>
  `${mailPages.auth}?${new URLSearchParams({ next: `${mailPages.subscribe}?${new URLSearchParams({ plan: tier, interval })}` })}`;

export const billingTexts: Texts = {
  checkout_link: ({ to, tier, interval, ...money }, { siteName, publicUrl, supportEmail }) => ({
    subject: `Subscribe to ${siteName} ${currentPlans[tier].name}`,
    lines: [
      `You can now subscribe to the ${planName(tier)} for ${formatMoney(money)} per ${interval}.`,
      `Sign in with ${to}, or create an account with this email address. Only this account can buy the plan.`,
    ],
    action: { label: 'Subscribe', url: pageUrl(publicUrl, orderPage(tier, interval)) },
    after: [`This link doesn't expire. If you have questions, contact ${supportEmail}.`],
  }),
  plan_subscribed: ({ tier, interval, nextAt, ...money }, facts) => ({
    subject: `You're subscribed to ${facts.siteName} ${currentPlans[tier].name}`,
    lines: [
      `Your ${interval === 'year' ? 'yearly' : 'monthly'} ${planName(tier)} is active. ${charged(money)}`,
      nextBill(nextAt),
    ],
    ...toBilling('View billing', facts),
    after: ['You can change or cancel your plan at any time.'],
  }),
  plan_changed: ({ from, tier, nextAt, ...money }, facts) => ({
    subject: `Your ${facts.siteName} plan was changed to ${currentPlans[tier].name}`,
    lines: [
      from === tier
        ? `The billing interval of your ${planName(tier)} was changed.`
        : `Your plan was changed from ${currentPlans[from].name} to ${currentPlans[tier].name}.`,
      ...(money.amount > 0 ? [charged(money)] : []),
      nextBill(nextAt),
    ],
    ...toBilling('View billing', facts),
    after: [`If you didn't request this, contact ${facts.supportEmail}.`],
  }),
  plan_canceled: ({ tier, endsAt }, facts) => ({
    subject: `Your ${facts.siteName} ${planName(tier)} was canceled`,
    lines: [
      `Your ${planName(tier)} was canceled. You can use it until ${formatDay(endsAt)}.`,
      "You won't be charged again.",
    ],
    ...toBilling('Keep plan', facts),
    after: ['Your images, API keys, and history stay in your account.'],
  }),
  plan_ended: ({ tier, reason }, facts) => ({
    subject: `Your ${facts.siteName} ${planName(tier)} has ended`,
    lines: [
      reason === 'unpaid'
        ? `Your ${planName(tier)} has ended because its last bill wasn't paid. We voided the bill, so you don't owe anything.`
        : `Your ${planName(tier)} has ended. You won't be charged again.`,
      "You're on the Free plan now. Your images, API keys, and history stay in your account.",
    ],
    ...toBilling('View billing', facts),
    after: ['You can subscribe again at any time.'],
  }),
  plan_paused: ({ tier, from, until }, facts) => ({
    subject: `Your ${facts.siteName} ${planName(tier)} was paused`,
    lines: [
      `You can use your ${planName(tier)} until ${formatDay(from)}. After that, it's paused and you're on the Free plan.`,
      until
        ? `Your plan and its bills resume on ${formatDay(until)}.`
        : "You won't be charged until you resume your plan.",
    ],
    ...toBilling('View billing', facts),
    after: ['You can resume your plan at any time.'],
  }),
  plan_resumed: ({ tier, nextAt }, facts) => ({
    subject: `Your ${facts.siteName} ${planName(tier)} was resumed`,
    lines: [`Your ${planName(tier)} is no longer paused.`, nextBill(nextAt)],
    ...toBilling('View billing', facts),
    after: [],
  }),
  payment_failed: ({ tier, retryAt, endsAt, ...money }, facts) => ({
    subject: `Payment failed for your ${facts.siteName} ${planName(tier)}`,
    lines: [
      `We couldn't collect ${formatMoney(money)} for your ${planName(tier)}.`,
      retryAt ? `We'll try again on ${formatDay(retryAt)}.` : 'This was the last attempt.',
      endsUnlessPaid(tier, endsAt),
    ],
    ...toBilling('Pay bill', facts),
    after: ['Update your payment method or pay the bill on your billing page.'],
  }),
  payment_action_needed: ({ tier, endsAt, ...money }, facts) => ({
    subject: `Confirm the payment for your ${facts.siteName} ${planName(tier)}`,
    lines: [
      `Your bank needs you to confirm the payment of ${formatMoney(money)} for your ${planName(tier)}.`,
      endsUnlessPaid(tier, endsAt),
    ],
    ...toBilling('Confirm payment', facts),
    after: ['You can also use another payment method.'],
  }),
  payment_recovered: ({ tier, nextAt, ...money }, facts) => ({
    subject: `Payment received for your ${facts.siteName} ${planName(tier)}`,
    lines: [
      `We received ${withTax(money)}. Your ${planName(tier)} continues, and you have its full quota again.`,
      nextBill(nextAt),
    ],
    ...toBilling('View billing', facts),
    after: [],
  }),
  payment_refunded: ({ amount, currency, paid, removed }, facts) => ({
    subject: `Your ${facts.siteName} payment was refunded`,
    lines: [
      `We refunded ${formatMoney({ amount, currency })} of your payment of ${formatMoney({ amount: paid, currency })}.`,
      ...(removed.length > 0
        ? [`We removed ${formatList(removed.map(({ units, meter }) => countImages(units, meter)))} from your quota.`]
        : []),
      'It can take 5 to 10 business days to appear on your statement.',
    ],
    ...toBilling('View billing', facts),
    after: [`Questions about this refund? Contact ${facts.supportEmail}.`],
  }),
  card_expiring: ({ brand, last4, year, month: number }, facts) => ({
    subject: `The card for your ${facts.siteName} plan expires soon`,
    lines: [
      `Your ${formatMethod(oneLine(brand))} card ending in ${oneLine(last4)} expires at the end of ${month.format(new Date(Date.UTC(year, number - 1)))}.`,
      'Update your payment method to keep your plan.',
    ],
    ...toBilling('Update payment method', facts),
    after: ["If your bank has already updated your card, you don't need to do anything."],
  }),
  renewal_ahead: ({ tier, at, ...money }, facts) => ({
    subject: `Your ${facts.siteName} ${planName(tier)} renews on ${formatDay(at)}`,
    lines: [
      `Your yearly ${planName(tier)} renews on ${formatDay(at)}. We'll charge ${formatMoney(money)} to your payment method.`,
      'To change or cancel your plan, visit your billing page before this day.',
    ],
    ...toBilling('View billing', facts),
    after: [],
  }),
};
