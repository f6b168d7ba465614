import { limits } from '@uprez/contracts/policy/limits';
import { countImages } from '@uprez/contracts/policy/meters';
import type { Mail, MailName } from '@uprez/contracts/schemas/mails';
import { describeDevice } from '@uprez/contracts/texts/describe-device';
import { mailPages } from '@uprez/contracts/texts/pages';
import { type MailContent, type MailFacts, pageUrl } from './mail-content.ts';
import { describeAddress, formatDay, formatTime, unlink } from './words.ts';

type Text<Name extends MailName> = (mail: Extract<Mail, { mail: Name }>, facts: MailFacts) => MailContent;

/** The way back into an account that somebody else may have entered. */
const takeBack = ({ publicUrl, supportEmail }: MailFacts) =>
  `If this was not you, set a new password now: choose "Forgot your password?" at ${pageUrl(publicUrl, mailPages.auth)}. It signs every device out. If you cannot get in, write to ${supportEmail}.`;

/** Whoever switched codes on has them: a new password alone lets nobody in. */
const takeBackFromCode = ({ supportEmail }: MailFacts) =>
  `If this was not you, the codes are not yours, and a new password alone does not let you in: write to ${supportEmail} at once.`;

/** All words of all mails: subject, what happened, what to do, what to do if it was not you. */
export const texts: { [Name in MailName]: Text<Name> } = {
  welcome: (_mail, { siteName, publicUrl }) => ({
    subject: `Welcome to ${siteName}`,
    lines: [
      'Your account is ready.',
      'Drop an image, choose how large it should become, compare before and after, and download it. An image that fails costs nothing.',
    ],
    action: { label: 'Enlarge an image', url: pageUrl(publicUrl, mailPages.home) },
    after: ['If you did not sign up, somebody used your address. You can ignore this mail.'],
  }),
  verify_email: (_mail, { siteName, publicUrl, token }) => ({
    subject: `Confirm your e-mail address for ${siteName}`,
    lines: [`An account at ${siteName} was opened with this address. Confirm that it is yours.`],
    action: { label: 'Confirm the address', url: pageUrl(publicUrl, mailPages.verifyEmail, token) },
    after: [
      `The link works for ${limits.confirmLinkHours} hours.`,
      'If you did not sign up, ignore this mail: without your confirmation the address stays unconfirmed.',
    ],
  }),
  reset_password: (_mail, { siteName, publicUrl, token }) => ({
    subject: `Reset your ${siteName} password`,
    lines: ['Somebody asked for a new password for your account.'],
    action: { label: 'Choose a new password', url: pageUrl(publicUrl, mailPages.resetPassword, token) },
    after: [
      `The link works once, for ${limits.resetLinkMinutes} minutes.`,
      'If this was not you, ignore this mail: your password stays as it is.',
    ],
  }),
  password_changed: ({ at }, facts) => ({
    subject: `Your ${facts.siteName} password was changed`,
    lines: [`The password of your account was changed on ${formatTime(at)}.`],
    after: ['If this was you, there is nothing to do.', takeBack(facts)],
  }),
  confirm_new_email: (_mail, { siteName, publicUrl, token }) => ({
    subject: `Confirm your new e-mail address for ${siteName}`,
    lines: [`An account at ${siteName} shall use this address from now on. Confirm that it is yours.`],
    action: { label: 'Confirm the address', url: pageUrl(publicUrl, mailPages.verifyEmail, token) },
    after: [
      `The link works for ${limits.confirmLinkHours} hours.`,
      'If you did not ask for this, ignore this mail: the account keeps its former address.',
    ],
  }),
  email_change_asked: ({ newEmail }, facts) => ({
    subject: `A new e-mail address for your ${facts.siteName} account`,
    lines: [
      `Somebody who is signed in to your account asked to change its e-mail address to ${unlink(newEmail)}.`,
      'It changes once the new address is confirmed. Until then this address stays in use.',
    ],
    after: ['If this was you, there is nothing to do here.', takeBack(facts)],
  }),
  email_changed: ({ newEmail }, { siteName, supportEmail }) => ({
    subject: `Your ${siteName} e-mail address was changed`,
    lines: [`Your account now uses ${unlink(newEmail)}. This address no longer signs you in.`],
    after: [`If this was you, there is nothing to do. If not, write to ${supportEmail} at once.`],
  }),
  new_device: ({ userAgent, address, at }, facts) => ({
    subject: `New sign-in to your ${facts.siteName} account`,
    lines: [
      'Your account was used from a device that we had not seen before.',
      [describeDevice(userAgent), describeAddress(address), formatTime(at)].filter(Boolean).join(' · '),
    ],
    after: ['If this was you, there is nothing to do.', takeBack(facts)],
  }),
  two_factor_changed: ({ isOn, at }, facts) => ({
    subject: `Two-factor sign-in is ${isOn ? 'on' : 'off'} for your ${facts.siteName} account`,
    lines: [
      isOn
        ? `Two-factor sign-in was switched on for your account on ${formatTime(at)}. Signing in now asks for a code of your authenticator app.`
        : `Two-factor sign-in was switched off for your account on ${formatTime(at)}. A password alone signs in now.`,
    ],
    after: ['If this was you, there is nothing to do.', isOn ? takeBackFromCode(facts) : takeBack(facts)],
  }),
  api_key_created: ({ name, preview, at }, facts) => ({
    subject: `A new API key for your ${facts.siteName} account`,
    lines: [
      `An API key was made for your account on ${formatTime(at)}: "${unlink(name)}" (${preview}). Whoever has it can use your plan.`,
    ],
    action: { label: 'See your API keys', url: pageUrl(facts.publicUrl, mailPages.apiKeys) },
    after: ['If this was you, there is nothing to do.', `If not, delete the key. ${takeBack(facts)}`],
  }),
  webhook_failing: ({ url, says, at }, { siteName, publicUrl }) => ({
    subject: `A webhook of your ${siteName} account cannot be delivered`,
    lines: [
      `On ${formatTime(at)} an event could not be delivered to ${unlink(url)}.`,
      `${unlink(says)} It is tried again for three days; the log shows every attempt.`,
    ],
    action: { label: 'See your webhooks', url: pageUrl(publicUrl, mailPages.apiKeys) },
    after: ['Nothing is lost: the event feed has all events of the last 30 days.'],
  }),
  webhook_disabled: ({ url, reason, at }, { siteName, publicUrl }) => ({
    subject: `A webhook of your ${siteName} account was switched off`,
    lines: [
      `On ${formatTime(at)} the webhook endpoint ${unlink(url)} was switched off.`,
      reason === 'gone'
        ? 'It answered that it is gone for good (410).'
        : 'All ten attempts of a delivery failed within three days, and nothing else reached it in that time.',
    ],
    action: { label: 'See your webhooks', url: pageUrl(publicUrl, mailPages.apiKeys) },
    after: [
      'Once it works again, switch it on there and send what it missed. The event feed has all events of 30 days.',
    ],
  }),
  export_ready: ({ expiresAt }, { siteName, publicUrl }) => ({
    subject: `Your ${siteName} data is ready to download`,
    lines: [`The copy of your data that you asked for is ready. It can be downloaded until ${formatTime(expiresAt)}.`],
    action: { label: 'Download it from your account', url: pageUrl(publicUrl, mailPages.account) },
    after: ['If you did not ask for it, change your password: only somebody who is signed in can ask.'],
  }),
  quota_warning: ({ share, meter, included, left, goesOn, resetsAt }, { siteName, publicUrl }) => ({
    subject: `You have used ${share} % of your images at ${siteName}`,
    lines: [
      `${share} % of the ${countImages(included, meter)} of your plan are used. The plan's next images come on ${formatDay(resetsAt)}.`,
      left > 0
        ? `You have ${countImages(left, meter)} left until then.`
        : goesOn
          ? 'Your plan has no hard stop: images are processed as before.'
          : 'Until then no such image can be processed. Everything else goes on working.',
    ],
    action: { label: 'See your use', url: pageUrl(publicUrl, mailPages.dashboard) },
    after: ['There is nothing that you have to do.'],
  }),
  deletion_asked: ({ deletesAt }, facts) => ({
    subject: `Your ${facts.siteName} account will be deleted on ${formatDay(deletesAt)}`,
    lines: [
      `Your account, its images and its history will be deleted on ${formatTime(deletesAt)}. Until then you can sign in and keep it.`,
    ],
    action: { label: 'Keep the account', url: pageUrl(facts.publicUrl, mailPages.account) },
    after: ['If you asked for this, there is nothing to do.', takeBack(facts)],
  }),
  account_deleted: (_mail, { siteName, supportEmail }) => ({
    subject: `Your ${siteName} account was deleted`,
    lines: ['Your account is deleted, with its images and its history. This is the last mail about it.'],
    after: [`If you did not want this, write to ${supportEmail}.`],
  }),
};
