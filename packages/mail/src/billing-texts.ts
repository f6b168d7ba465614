import { countImages } from '@uprez/contracts/policy/plans/meters';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { BillingMail } from '@uprez/contracts/schemas/mails';
import { formatMethod } from '@uprez/contracts/texts/billing';
import { formatList, formatMoney, formatPrice } from '@uprez/contracts/texts/format';
import { describeUnaffectedPlan, intervalTexts } from '@uprez/contracts/texts/plans';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import { formatDay, type MailContent, type MailFacts, oneLine, pageUrl } from './mail-content.ts';

type Name = BillingMail['mail'];
type Texts = { [One in Name]: (mail: Extract<BillingMail, { mail: One }>, facts: MailFacts) => MailContent };
type Money = { amount: number; currency: string };

const planName = (tier: Tier) => `${currentPlans[tier].name} plan`;

/**
 * The plan or subscription that an email is about. `override` is a plan assigned by an administrator, which takes
 * precedence.
 */
type Bought = { tier: Tier; override?: Tier | undefined };
const boughtNoun = ({ override }: Bought) => (override ? 'subscription' : 'plan');
const boughtName = (bought: Bought) => `${currentPlans[bought.tier].name} ${boughtNoun(bought)}`;
const whatApplies = ({ override }: Bought, sentence: string) =>
  override ? describeUnaffectedPlan(override) : sentence;

const withTax = (money: Money & { tax: number }) =>
  formatMoney(money) + (money.tax > 0 ? `, including ${formatMoney({ ...money, amount: money.tax })} tax` : '');
const describeCharge = (money: Money & { tax: number }) =>
  money.amount > 0 ? `We charged ${withTax(money)}.` : 'Nothing was due today.';
const nextBill = (at: string) => `Your next bill is on ${formatDay(at)}.`;
const endsUnlessPaid = (bought: Bought, at: string) =>
  `Your ${boughtName(bought)} ends on ${formatDay(at)} unless the bill is paid. ${whatApplies(bought, 'Until then, its quota is reduced.')}`;
const keptInAccount = ({ tier }: Bought) =>
  currentPlans[tier].api
    ? 'Your API keys, webhook endpoints, and history stay in your account.'
    : 'Your history stays in your account.';
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const toBilling = (label: string, { publicUrl }: MailFacts) => ({
  action: { label, url: pageUrl(publicUrl, mailPages.billing) },
});

type PlanChange = Omit<Extract<BillingMail, { mail: 'plan_changed' }>, 'nextAt'>;

/**
 * Describes a plan change. If neither the plan nor the interval has changed, the subscriber has moved from an old price
 * to the current one.
 */
function describeChange({ from, tier, interval, price, currency }: PlanChange, { siteName }: MailFacts) {
  const { name } = currentPlans[tier];
  const { adverb, per } = intervalTexts[interval];
  const isOtherInterval = from.interval !== interval;
  if (from.tier !== tier)
    return {
      subject: `Your ${siteName} plan was changed to ${name}`,
      sentence: `Your plan was changed from ${currentPlans[from.tier].name} to ${name}.${isOtherInterval ? ` It's now billed ${adverb}.` : ''}`,
    };
  if (isOtherInterval)
    return {
      subject: `Your ${siteName} billing interval was changed`,
      sentence: `Your ${planName(tier)} is now billed ${adverb}.`,
    };
  return {
    subject: `The price of your ${siteName} ${planName(tier)} was changed`,
    sentence: `The price of your ${planName(tier)} is now ${formatPrice(price / 100, currency)} ${per}.`,
  };
}

const orderPage = (tier: Tier, interval: string) =>
  `${mailPages.auth}?${new URLSearchParams({ next: `${mailPages.subscribe}?${new URLSearchParams({ plan: tier, interval })}` })}`;

export const billingTexts: Texts = {
  checkout_link: ({ to, tier, interval, ...money }, { siteName, publicUrl, supportEmail }) => ({
    subject: `Subscribe to ${siteName} ${currentPlans[tier].name}`,
    lines: [
      `You can now subscribe to the ${planName(tier)} for ${formatPrice(money.amount / 100, money.currency)} per ${interval}.`,
      `Sign in with ${to}, or create an account with this email address. Only this account can buy the plan.`,
    ],
    action: { label: 'Subscribe', url: pageUrl(publicUrl, orderPage(tier, interval)) },
    after: [`This link doesn't expire. If you have questions, contact ${supportEmail}.`],
  }),
  plan_subscribed: ({ tier, interval, nextAt, ...money }, facts) => ({
    subject: `You're subscribed to ${facts.siteName} ${currentPlans[tier].name}`,
    lines: [
      `Your ${intervalTexts[interval].adverb} ${planName(tier)} is active. ${describeCharge(money)}`,
      nextBill(nextAt),
    ],
    ...toBilling('View billing', facts),
    after: ['You can change or cancel your plan at any time.'],
  }),
  plan_changed: ({ nextAt, ...change }, facts) => {
    const { subject, sentence } = describeChange(change, facts);
    return {
      subject,
      lines: [sentence, ...(change.amount > 0 ? [describeCharge(change)] : []), nextBill(nextAt)],
      ...toBilling('View billing', facts),
      after: [`If you didn't request this, contact ${facts.supportEmail}.`],
    };
  },
  plan_canceled: ({ endsAt, ...bought }, facts) => ({
    subject: `Your ${facts.siteName} ${boughtName(bought)} was canceled`,
    lines: [
      bought.override
        ? `Your ${boughtName(bought)} was canceled. It ends on ${formatDay(endsAt)}. ${describeUnaffectedPlan(bought.override)}`
        : `Your ${boughtName(bought)} was canceled. You can use it until ${formatDay(endsAt)}.`,
      "You won't be charged again.",
    ],
    ...toBilling('Keep plan', facts),
    after: [keptInAccount(bought)],
  }),
  plan_ended: ({ reason, ...bought }, facts) => ({
    subject: `Your ${facts.siteName} ${boughtName(bought)} has ended`,
    lines: [
      reason === 'unpaid'
        ? `Your ${boughtName(bought)} has ended because its last bill wasn't paid. We voided the bill, so you don't owe anything.`
        : `Your ${boughtName(bought)} has ended. You won't be charged again.`,
      whatApplies(bought, `You're on the Free plan now. ${keptInAccount(bought)}`),
    ],
    ...toBilling('View billing', facts),
    after: ['You can subscribe again at any time.'],
  }),
  plan_paused: ({ from, until, ...bought }, facts) => ({
    subject: `Your ${facts.siteName} ${boughtName(bought)} was paused`,
    lines: [
      bought.override
        ? `Your ${boughtName(bought)} pauses on ${formatDay(from)}. ${describeUnaffectedPlan(bought.override)}`
        : `You can use your ${boughtName(bought)} until ${formatDay(from)}. After that, it's paused and you're on the Free plan.`,
      until
        ? `Your ${boughtNoun(bought)} and its bills resume on ${formatDay(until)}.`
        : `You won't be charged until you resume your ${boughtNoun(bought)}.`,
    ],
    ...toBilling('View billing', facts),
    after: [`You can resume your ${boughtNoun(bought)} at any time.`],
  }),
  plan_resumed: ({ tier, nextAt }, facts) => ({
    subject: `Your ${facts.siteName} ${planName(tier)} was resumed`,
    lines: [`Your ${planName(tier)} is no longer paused.`, nextBill(nextAt)],
    ...toBilling('View billing', facts),
    after: [],
  }),
  payment_failed: ({ retryAt, endsAt, ...bill }, facts) => ({
    subject: `Payment failed for your ${facts.siteName} ${boughtName(bill)}`,
    lines: [
      `We couldn't collect ${formatMoney(bill)} for your ${boughtName(bill)}.`,
      retryAt ? `We'll try again on ${formatDay(retryAt)}.` : 'This was the last attempt.',
      endsUnlessPaid(bill, endsAt),
    ],
    ...toBilling('Pay bill', facts),
    after: ['Update your payment method or pay the bill on your billing page.'],
  }),
  payment_action_needed: ({ endsAt, ...bill }, facts) => ({
    subject: `Confirm the payment for your ${facts.siteName} ${boughtName(bill)}`,
    lines: [
      `Your bank needs you to confirm the payment of ${formatMoney(bill)} for your ${boughtName(bill)}.`,
      endsUnlessPaid(bill, endsAt),
    ],
    ...toBilling('Confirm payment', facts),
    after: ['You can also use another payment method.'],
  }),
  payment_recovered: ({ nextAt, ...bill }, facts) => ({
    subject: `Payment received for your ${facts.siteName} ${boughtName(bill)}`,
    lines: [
      `We received ${withTax(bill)}. Your ${boughtName(bill)} continues${bill.override ? '.' : ', and you have its full quota again.'}`,
      nextBill(nextAt),
    ],
    ...toBilling('View billing', facts),
    after: [],
  }),
  payment_refunded: ({ amount, currency, paid, removed }, facts) => ({
    subject: `Your ${facts.siteName} payment was refunded`,
    lines: [
      amount === paid
        ? `We refunded your payment of ${formatMoney({ amount, currency })}.`
        : `We refunded ${formatMoney({ amount, currency })} of your payment of ${formatMoney({ amount: paid, currency })}.`,
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
