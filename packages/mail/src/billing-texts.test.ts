import type { BillingMail } from '@uprez/contracts/schemas/mails';
import { expect, it } from 'vitest';
import { billingTexts } from './billing-texts.ts';
import type { MailContent, MailFacts } from './mail-content.ts';

const facts = { siteName: 'Uprez', supportEmail: 'help@uprez.test', publicUrl: 'https://uprez.test', firstName: null };
const at = '2026-12-10T09:00:00.000Z';
const pro = { tier: 'pro', amount: 700, tax: 0, currency: 'usd' } as const;
const change = { mail: 'plan_changed', ...pro, interval: 'month', price: 700, nextAt: at } as const;

const render = (mail: BillingMail) =>
  (billingTexts[mail.mail] as (mail: BillingMail, facts: MailFacts) => MailContent)(mail, facts);

/** The page that a mail leads to: the order for a checkout link, else the billing page. */
const urlOf = ({ mail }: BillingMail) =>
  mail === 'checkout_link'
    ? `https://uprez.test/auth?next=${encodeURIComponent('/subscribe?plan=enterprise&interval=month')}`
    : 'https://uprez.test/account/billing';

it.each<[BillingMail, string]>([
  [
    { mail: 'plan_subscribed', ...pro, interval: 'month', nextAt: at },
    'Your monthly Pro plan is active. We charged $7.00. Your next bill is on December 10, 2026.',
  ],
  [
    { mail: 'plan_subscribed', ...pro, interval: 'month', amount: 770, tax: 70, nextAt: at },
    'Your monthly Pro plan is active. We charged $7.70, including $0.70 tax. Your next bill is on December 10, 2026.',
  ],
  [
    { mail: 'plan_subscribed', ...pro, interval: 'year', amount: 0, nextAt: at },
    'Your yearly Pro plan is active. Nothing was due today. Your next bill is on December 10, 2026.',
  ],
  [
    { ...change, from: { tier: 'pro', interval: 'month' }, tier: 'api_basic', amount: 1_850 },
    'Your plan was changed from Pro to API Basic. We charged $18.50. Your next bill is on December 10, 2026.',
  ],
  [
    { ...change, from: { tier: 'api_basic', interval: 'year' }, amount: 0 },
    "Your plan was changed from API Basic to Pro. It's now billed monthly. Your next bill is on December 10, 2026.",
  ],
  [
    { ...change, from: { tier: 'pro', interval: 'month' }, interval: 'year', amount: 7_000 },
    'Your Pro plan is now billed yearly. We charged $70.00. Your next bill is on December 10, 2026.',
  ],
  [
    { ...change, from: { tier: 'pro', interval: 'month' }, price: 900, amount: 900 },
    'The price of your Pro plan is now $9 per month. We charged $9.00. Your next bill is on December 10, 2026.',
  ],
  [
    { mail: 'plan_canceled', tier: 'pro', endsAt: at },
    "Your Pro plan was canceled. You can use it until December 10, 2026. You won't be charged again.",
  ],
  [
    { mail: 'plan_ended', tier: 'pro', reason: 'unpaid' },
    "Your Pro plan has ended because its last bill wasn't paid. We voided the bill, so you don't owe anything. You're on the Free plan now. Your history stays in your account.",
  ],
  [
    { mail: 'plan_ended', tier: 'pro', reason: 'canceled' },
    "Your Pro plan has ended. You won't be charged again. You're on the Free plan now. Your history stays in your account.",
  ],
  [
    { mail: 'plan_ended', tier: 'api_basic', reason: 'canceled' },
    "Your API Basic plan has ended. You won't be charged again. You're on the Free plan now. Your API keys, webhook endpoints, and history stay in your account.",
  ],
  [
    { mail: 'plan_paused', tier: 'pro', from: at, until: '2027-01-10T08:00:00.000Z' },
    "You can use your Pro plan until December 10, 2026. After that, it's paused and you're on the Free plan. Your plan and its bills resume on January 10, 2027.",
  ],
  [
    { mail: 'plan_paused', tier: 'pro', from: at, until: null },
    "You can use your Pro plan until December 10, 2026. After that, it's paused and you're on the Free plan. You won't be charged until you resume your plan.",
  ],
  [
    { mail: 'plan_resumed', tier: 'pro', nextAt: at },
    'Your Pro plan is no longer paused. Your next bill is on December 10, 2026.',
  ],
  [
    { mail: 'payment_failed', ...pro, retryAt: at, endsAt: '2026-12-12T09:00:00.000Z' },
    "We couldn't collect $7.00 for your Pro plan. We'll try again on December 10, 2026. Your Pro plan ends on December 12, 2026 unless the bill is paid. Until then, its quota is reduced.",
  ],
  [
    { mail: 'payment_failed', ...pro, retryAt: null, endsAt: at },
    "We couldn't collect $7.00 for your Pro plan. This was the last attempt. Your Pro plan ends on December 10, 2026 unless the bill is paid. Until then, its quota is reduced.",
  ],
  [
    { mail: 'payment_action_needed', ...pro, endsAt: at },
    'Your bank needs you to confirm the payment of $7.00 for your Pro plan. Your Pro plan ends on December 10, 2026 unless the bill is paid. Until then, its quota is reduced.',
  ],
  [
    { mail: 'payment_recovered', ...pro, nextAt: at },
    'We received $7.00. Your Pro plan continues, and you have its full quota again. Your next bill is on December 10, 2026.',
  ],
  [
    {
      ...{ mail: 'payment_refunded', amount: 350, currency: 'usd', paid: 700 },
      removed: [
        { units: 50, meter: 'ai' },
        { units: 1, meter: 'standard' },
      ],
    },
    'We refunded $3.50 of your payment of $7.00. We removed 50 AI images and 1 standard image from your quota. It can take 5 to 10 business days to appear on your statement.',
  ],
  [
    { mail: 'payment_refunded', amount: 350, currency: 'usd', paid: 700, removed: [] },
    'We refunded $3.50 of your payment of $7.00. It can take 5 to 10 business days to appear on your statement.',
  ],
  [
    { mail: 'payment_refunded', amount: 700, currency: 'usd', paid: 700, removed: [] },
    'We refunded your payment of $7.00. It can take 5 to 10 business days to appear on your statement.',
  ],
  [
    {
      mail: 'checkout_link',
      to: 'ada@example.test',
      tier: 'enterprise',
      interval: 'month',
      amount: 9_900,
      currency: 'usd',
    },
    'You can now subscribe to the Enterprise plan for $99 per month. Sign in with ada@example.test, or create an account with this email address. Only this account can buy the plan.',
  ],
  [
    { mail: 'card_expiring', brand: 'visa', last4: '4242', month: 12, year: 2026 },
    'Your Visa card ending in 4242 expires at the end of December 2026. Update your payment method to keep your plan.',
  ],
  [
    { mail: 'card_expiring', brand: 'diners', last4: '0004', month: 1, year: 2027 },
    'Your Diners Club card ending in 0004 expires at the end of January 2027. Update your payment method to keep your plan.',
  ],
  [
    { mail: 'renewal_ahead', ...pro, amount: 7_000, at },
    "Your yearly Pro plan renews on December 10, 2026. We'll charge $70.00 to your payment method. To change or cancel your plan, visit your billing page before this day.",
  ],
])('%j states what happened, the amount, and the day', (mail, lines) => {
  const content = render(mail);
  expect(content.lines.join(' ')).toBe(lines);
  expect(content.action?.url).toBe(urlOf(mail));
});

it.each<[BillingMail, string]>([
  [{ ...change, from: { tier: 'api_basic', interval: 'month' } }, 'Your Uprez plan was changed to Pro'],
  [{ ...change, from: { tier: 'pro', interval: 'year' } }, 'Your Uprez billing interval was changed'],
  [{ ...change, from: { tier: 'pro', interval: 'month' } }, 'The price of your Uprez Pro plan was changed'],
])('%j names in its subject what changed', (mail, subject) => {
  expect(render(mail).subject).toBe(subject);
});

const override = 'enterprise';
const unaffected = "The Enterprise plan that an administrator gave you isn't affected.";

it.each<[BillingMail, string]>([
  [
    { mail: 'plan_canceled', tier: 'pro', override, endsAt: at },
    `Your Pro subscription was canceled. It ends on December 10, 2026. ${unaffected} You won't be charged again.`,
  ],
  [
    { mail: 'plan_ended', tier: 'pro', override, reason: 'unpaid' },
    `Your Pro subscription has ended because its last bill wasn't paid. We voided the bill, so you don't owe anything. ${unaffected}`,
  ],
  [
    { mail: 'plan_ended', tier: 'pro', override, reason: 'canceled' },
    `Your Pro subscription has ended. You won't be charged again. ${unaffected}`,
  ],
  [
    { mail: 'plan_paused', tier: 'pro', override, from: at, until: null },
    `Your Pro subscription pauses on December 10, 2026. ${unaffected} You won't be charged until you resume your subscription.`,
  ],
  [
    { mail: 'payment_failed', ...pro, override, retryAt: null, endsAt: at },
    `We couldn't collect $7.00 for your Pro subscription. This was the last attempt. Your Pro subscription ends on December 10, 2026 unless the bill is paid. ${unaffected}`,
  ],
  [
    { mail: 'payment_action_needed', ...pro, override, endsAt: at },
    `Your bank needs you to confirm the payment of $7.00 for your Pro subscription. Your Pro subscription ends on December 10, 2026 unless the bill is paid. ${unaffected}`,
  ],
  [
    { mail: 'payment_recovered', ...pro, override, nextAt: at },
    'We received $7.00. Your Pro subscription continues. Your next bill is on December 10, 2026.',
  ],
])("%j says that an administrator's plan isn't affected", (mail, lines) => {
  const content = render(mail);
  expect(content.lines.join(' ')).toBe(lines);
  expect(content.action?.url).toBe(urlOf(mail));
  expect(render(mail).subject).toContain('Pro subscription');
});
