import { roleInSentence } from '@uprez/contracts/policy/admin/permissions';
import { limits } from '@uprez/contracts/policy/limits';
import { newsletterLimits, type Topic, topicNames } from '@uprez/contracts/policy/newsletter';
import { countImages } from '@uprez/contracts/policy/plans/meters';
import type { CampaignContent, Mail, MailName } from '@uprez/contracts/schemas/mails';
import { describeAnomaly } from '@uprez/contracts/texts/admin/access-log';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { describeDevice } from '@uprez/contracts/texts/admin/describe-device';
import { describeInquiry } from '@uprez/contracts/texts/admin/tickets';
import { formatList, pluralize } from '@uprez/contracts/texts/format';
import { findPlanNameOfPath } from '@uprez/contracts/texts/plans';
import { replyPromise } from '@uprez/contracts/texts/site/contact';
import { mailPages } from '@uprez/contracts/texts/site/pages';
import { billingTexts } from './billing-texts.ts';
import {
  describeAddress,
  formatDay,
  formatTime,
  type MailContent,
  type MailFacts,
  pageUrl,
  unlink,
} from './mail-content.ts';

type NewsletterMail = 'confirm_subscription' | 'campaign_test';
type NewsletterTexts = {
  [One in NewsletterMail]: (mail: Extract<Mail, { mail: One }>, facts: MailFacts) => MailContent;
};

const namesOf = (topics: readonly Topic[]) => formatList(topics.map((topic) => topicNames[topic].toLowerCase()));

/** Without a greeting, because authors write their own. */
const contentOf = ({ topic: _, ...content }: CampaignContent): MailContent => ({ ...content, greets: false });

const newsletterTexts: NewsletterTexts = {
  confirm_subscription: ({ topics }, { siteName, publicUrl, token }) => ({
    subject: `Confirm your subscription to ${siteName}`,
    lines: [`Confirm that you want to get ${namesOf(topics)} from ${siteName} by email.`],
    action: { label: 'Confirm subscription', url: pageUrl(publicUrl, mailPages.confirmSubscription, token) },
    after: [
      `This link works once and expires in ${pluralize(newsletterLimits.pendingDays, 'day')}.`,
      "If you didn't request this, you can ignore this email. You won't get other emails.",
    ],
    greets: false,
  }),
  campaign_test: ({ campaign }) => ({
    ...contentOf(campaign),
    subject: `[Test] ${campaign.subject}`,
    after: ['This is a test. Subscribers get links to unsubscribe and to their email preferences here.'],
  }),
};

type Name = Extract<Mail['mail'], `ticket_${string}`>;
type Texts = { [One in Name]: (mail: Extract<Mail, { mail: One }>, facts: MailFacts) => MailContent };

const linesOf = (text: string) => text.trim().split(/\s*\n\s*/);

/** For job applications, both are the same. */
const aboutOf = (inquiry: string, subject: string) =>
  inquiry === subject ? inquiry : `${inquiry}: ${unlink(subject)}`;

const ticketTexts: Texts = {
  ticket_opened: ({ ticketId, number, name, email, company, subject, message, files, ...about }, { publicUrl }) => ({
    subject: `New message #${number} from ${name}: ${subject}`,
    lines: [
      `${unlink(name)} (${unlink(email)}) sent a message. Reply in the inbox: the other administrators see your reply there.`,
      aboutOf(describeInquiry(about), subject),
      ...(company ? [`Company: ${unlink(company)}`] : []),
      ...linesOf(message).map(unlink),
      ...(files > 0 ? [`${pluralize(files, 'file')} attached.`] : []),
    ],
    action: { label: 'Open in inbox', url: pageUrl(publicUrl, adminPages.ticket.replace(':id', ticketId)) },
  }),
  ticket_received: ({ number }, { siteName, supportEmail }) => ({
    subject: `We received your message (#${number})`,
    lines: [`Thank you for contacting ${siteName}. Your message number is #${number}. ${replyPromise}`],
    after: [`If you didn't write to us, you can ignore this email. To add something, write to ${supportEmail}.`],
  }),
  ticket_reply: ({ number, subject, message }, { siteName }) => ({
    subject: `Re: ${subject} (#${number})`,
    lines: linesOf(message),
    after: [`This is a reply to your message #${number} to ${siteName}. Reply to this email to add something.`],
    greets: false,
  }),
};

type Text<Name extends MailName> = (mail: Extract<Mail, { mail: Name }>, facts: MailFacts) => MailContent;

const noAction = 'If this was you, no action is needed.';

const resetPassword = ({ publicUrl, supportEmail }: MailFacts) =>
  `reset your password: choose "Forgot your password?" at ${pageUrl(publicUrl, mailPages.auth)}. This signs out all devices. If you can't sign in, contact ${supportEmail}.`;
const ifNotYou = (facts: MailFacts) => `If this wasn't you, ${resetPassword(facts)}`;

const optOut = 'You can turn off these emails in your account settings.';
const linkExpiry = `This link expires in ${limits.confirmLinkHours} hours.`;

const verifyPage = (next: string | undefined) =>
  next === undefined ? mailPages.verifyEmail : `${mailPages.verifyEmail}?${new URLSearchParams({ next })}`;

const confirmReason = (siteName: string, plan: string | undefined) =>
  plan === undefined
    ? `Confirm the email address of your ${siteName} account.`
    : `Confirm your email address to subscribe to ${plan}.`;

export const texts: { [Name in MailName]: Text<Name> } = {
  welcome: (_mail, { siteName, publicUrl }) => ({
    subject: `Welcome to ${siteName}`,
    lines: [
      "Upload an image, choose a scale, compare before and after, and download the result. You're never charged for failed images.",
    ],
    action: { label: 'Upscale an image', url: pageUrl(publicUrl, mailPages.home) },
    after: ["If you didn't create this account, you can ignore this email."],
  }),
  verify_email: ({ next }, { siteName, publicUrl, token }) => ({
    subject: `Confirm your email address for ${siteName}`,
    lines: [confirmReason(siteName, findPlanNameOfPath(next))],
    action: { label: 'Confirm email address', url: pageUrl(publicUrl, verifyPage(next), token) },
    after: [linkExpiry, "If you didn't create this account, you can ignore this email."],
  }),
  reset_password: (_mail, { siteName, publicUrl, token }) => ({
    subject: `Reset your ${siteName} password`,
    lines: ['We received a request to reset the password for your account.'],
    action: { label: 'Reset password', url: pageUrl(publicUrl, mailPages.resetPassword, token) },
    after: [
      `This link works once and expires in ${limits.resetLinkMinutes} minutes.`,
      "If you didn't request this, you can ignore this email. Your password won't change.",
    ],
  }),
  invitation: ({ role }, { siteName, publicUrl, token }) => ({
    subject: role === null ? `You're invited to ${siteName}` : `You're invited to the ${siteName} team`,
    lines: [
      role === null
        ? `You were invited to create a ${siteName} account.`
        : `You were invited to help run ${siteName} as ${roleInSentence[role]}.`,
      'Choose a password to create your account and sign in.',
    ],
    action: { label: 'Accept invitation', url: pageUrl(publicUrl, mailPages.invitation, token) },
    after: [
      `This link works once and expires in ${limits.invitationDays} days.`,
      "If you didn't expect this, you can ignore this email. No account is created.",
    ],
  }),
  password_changed: ({ at }, facts) => ({
    subject: `Your ${facts.siteName} password was changed`,
    lines: [`The password for your account was changed on ${formatTime(at)}.`],
    after: [noAction, ifNotYou(facts)],
  }),
  confirm_new_email: (_mail, { siteName, publicUrl, token }) => ({
    subject: `Confirm your new email address for ${siteName}`,
    lines: [`Confirm that this is the new email address for your ${siteName} account.`],
    action: { label: 'Confirm email address', url: pageUrl(publicUrl, mailPages.verifyEmail, token) },
    after: [linkExpiry, "If you didn't request this, you can ignore this email. Nothing will change."],
  }),
  email_change_asked: ({ newEmail }, facts) => ({
    subject: `Email change requested for your ${facts.siteName} account`,
    lines: [
      `We received a request to change your email address to ${unlink(newEmail)}.`,
      'Keep using your current email until you confirm the new one.',
    ],
    after: [noAction, ifNotYou(facts)],
  }),
  email_changed: ({ newEmail }, { siteName, supportEmail }) => ({
    subject: `Your ${siteName} email address was changed`,
    lines: [
      `Your account's email address is now ${unlink(newEmail)}. You can no longer sign in with your previous email address.`,
    ],
    after: [noAction, `If this wasn't you, contact ${supportEmail} immediately.`],
  }),
  new_device: ({ userAgent, address, at }, facts) => ({
    subject: `New sign-in to your ${facts.siteName} account`,
    lines: [
      'We noticed a sign-in to your account from a new device.',
      [describeDevice(userAgent), describeAddress(address), formatTime(at)].filter(Boolean).join(' · '),
    ],
    after: [noAction, ifNotYou(facts)],
  }),
  two_factor_changed: ({ isOn, at }, facts) => ({
    subject: `Two-factor authentication is ${isOn ? 'on' : 'off'} for your ${facts.siteName} account`,
    lines: [
      `On ${formatTime(at)}, two-factor authentication was turned ${isOn ? 'on' : 'off'}.`,
      isOn
        ? 'Signing in now requires a code from your authenticator app.'
        : 'Signing in now requires only your password.',
    ],
    after: [
      noAction,
      // If someone else turned on two-factor authentication, only they have the codes. A new password doesn't help
      // then.
      isOn
        ? `If this wasn't you, contact ${facts.supportEmail} immediately. Resetting your password won't restore your access.`
        : ifNotYou(facts),
    ],
  }),
  passkey_changed: ({ name, isAdded, at }, facts) => ({
    subject: `A passkey was ${isAdded ? 'added to' : 'deleted from'} your ${facts.siteName} account`,
    lines: [
      `The passkey "${unlink(name)}" was ${isAdded ? 'added' : 'deleted'} on ${formatTime(at)}.`,
      isAdded
        ? 'Anyone who can unlock this passkey can sign in to your account.'
        : 'You can no longer sign in with this passkey.',
    ],
    action: { label: 'View passkeys', url: pageUrl(facts.publicUrl, mailPages.passkeys) },
    after: [noAction, isAdded ? `If this wasn't you, delete the passkey and ${resetPassword(facts)}` : ifNotYou(facts)],
  }),
  api_key_created: ({ name, preview, at }, facts) => ({
    subject: `New API key for your ${facts.siteName} account`,
    lines: [
      `The API key "${unlink(name)}" (${preview}) was created on ${formatTime(at)}. Anyone with this key can use your plan.`,
    ],
    action: { label: 'View API keys', url: pageUrl(facts.publicUrl, mailPages.apiKeys) },
    after: [noAction, `If this wasn't you, delete the key and ${resetPassword(facts)}`],
  }),
  webhook_failing: ({ url, says, at }, { siteName, publicUrl }) => ({
    subject: `Webhook deliveries are failing for your ${siteName} account`,
    lines: [
      `An event couldn't be delivered to ${unlink(url)} on ${formatTime(at)}.`,
      `${unlink(says)} We'll keep retrying for 3 days.`,
    ],
    action: { label: 'View webhooks', url: pageUrl(publicUrl, mailPages.apiKeys) },
    after: [`No events are lost. The event feed keeps all events for ${limits.eventDays} days.`],
  }),
  webhook_disabled: ({ url, reason, at }, { siteName, publicUrl }) => ({
    subject: `A webhook endpoint was disabled for your ${siteName} account`,
    lines: [
      `The webhook endpoint ${unlink(url)} was disabled on ${formatTime(at)}.`,
      reason === 'gone'
        ? 'It responded with 410 Gone.'
        : 'All 10 attempts to deliver an event failed, and no other deliveries succeeded during that period.',
    ],
    action: { label: 'View webhooks', url: pageUrl(publicUrl, mailPages.apiKeys) },
    after: [
      `Fix the endpoint, enable it, and resend the missed events. The event feed keeps all events for ${limits.eventDays} days.`,
    ],
  }),
  export_ready: ({ expiresAt }, { siteName, publicUrl }) => ({
    subject: `Your ${siteName} data is ready to download`,
    lines: [`Your data export is ready. You can download it until ${formatTime(expiresAt)}.`],
    action: { label: 'Download your data', url: pageUrl(publicUrl, mailPages.account) },
    after: [
      "If you didn't request this, change your password. Only someone who is signed in to your account can request an export.",
    ],
  }),
  quota_warning: ({ share, meter, included, left, goesOn, resetsAt }, { siteName, publicUrl }) => ({
    subject: `You've used ${share}% of your ${siteName} quota`,
    lines: [
      `You've used ${share}% of the ${countImages(included, meter)} in your plan. Your quota resets on ${formatDay(resetsAt)}.`,
      left > 0
        ? `You have ${countImages(left, meter)} left.`
        : goesOn
          ? 'Your plan has no hard limit, so processing continues.'
          : `You have no ${countImages(0, meter).slice(2)} left this period. Upgrade your plan to get more.`,
    ],
    action: { label: 'View usage', url: pageUrl(publicUrl, mailPages.dashboard) },
    after: [optOut],
  }),
  batch_ended: ({ completed, failed }, { siteName, publicUrl }) => ({
    subject: `Your ${siteName} batch is done`,
    lines: [
      ...(completed > 0
        ? [`${pluralize(completed, 'image')} processed. Download your results before they are deleted.`]
        : []),
      ...(failed > 0 ? [`${pluralize(failed, 'image')} failed. You weren't charged for failed images.`] : []),
    ],
    action: { label: 'View results', url: pageUrl(publicUrl, mailPages.activity) },
    after: [optOut],
  }),
  ...billingTexts,
  lead: ({ name, email, company, volume, message }, { siteName }) => ({
    subject: `${siteName} Enterprise inquiry from ${name}`,
    lines: [
      `${unlink(name)} asked about Enterprise. Reply to ${email}.`,
      ...(company ? [`Company: ${unlink(company)}`] : []),
      ...(volume ? [`Images per month: ${unlink(volume)}`] : []),
      ...message.split(/\s*\n\s*/).map(unlink),
    ],
  }),
  ...ticketTexts,
  ...newsletterTexts,
  anomalies: ({ anomalies, more }, { siteName, publicUrl }) => ({
    subject: `Unusual activity on ${siteName}`,
    lines: [
      ...anomalies.map((facts) => unlink(describeAnomaly(facts))),
      ...(more > 0 ? [`We found ${pluralize(more, 'more event')} like these.`] : []),
      'Check whether you recognize this. If not, suspend the account or delete the API key.',
    ],
    action: { label: 'View access log', url: pageUrl(publicUrl, adminPages.accessLog) },
    after: [
      'You receive this email because you are an owner of this site. Acknowledge each event when you have checked it.',
    ],
  }),
  email_settings_changing: ({ by, present, next, at }, { siteName, publicUrl }) => ({
    subject: `The email settings of ${siteName} are changing`,
    lines: [
      `${unlink(by)} is changing the email settings of ${siteName} (${formatTime(at)}).`,
      `Current server: ${unlink(present)}.`,
      `New server: ${unlink(next)}.`,
      'From then on, all emails, including password reset links, go through the new server.',
    ],
    action: { label: 'View email settings', url: pageUrl(publicUrl, adminPages.settingsEmail) },
    after: [
      'You receive this email because you are an owner of this site.',
      "If you don't recognize this change, restore the previous version of the settings and suspend the account.",
    ],
  }),
  deletion_asked: ({ deletesAt }, facts) => ({
    subject: `Your ${facts.siteName} account will be deleted on ${formatDay(deletesAt)}`,
    lines: [
      `Your account, images, and history will be deleted on ${formatTime(deletesAt)}. Until then, you can sign in to keep your account.`,
      "If you have a paid plan, it won't renew. Unused time isn't refunded.",
    ],
    action: { label: 'Keep account', url: pageUrl(facts.publicUrl, mailPages.account) },
    after: [noAction, ifNotYou(facts)],
  }),
  account_deleted: (_mail, { siteName, supportEmail }) => ({
    subject: `Your ${siteName} account was deleted`,
    lines: ['Your account, images, and history were deleted. This is the last email about your account.'],
    after: [`If you didn't request this, contact ${supportEmail}.`],
  }),
};
