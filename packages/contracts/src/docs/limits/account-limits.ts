import { couponRules } from '../../policy/billing/coupons.ts';
import { dailyLimits } from '../../policy/daily-limits.ts';
import { limits } from '../../policy/limits.ts';
import { newsletterLimits } from '../../policy/newsletter.ts';
import { securitySettingsSchema } from '../../schemas/admin/settings.ts';
import { webhookRetryDelaysS } from '../../schemas/webhook-events.ts';
import { formatCount } from '../../texts/format.ts';
import { formatDuration, formatResponse, type LimitRows, midnightResetText } from './limit-row.ts';

const { maxLoginAttempts, lockoutDuration } = securitySettingsSchema.parse({});
const webhookRetryHours = Math.floor(webhookRetryDelaysS.reduce((sum, seconds) => sum + seconds, 0) / 3_600);

export const webhookLimits = {
  webhook_endpoints: {
    what: 'Webhook endpoints of an account',
    limit: String(limits.webhooks),
    met: formatResponse('webhook_limit'),
    recovers: 'When one is deleted',
  },
  webhook_slots: {
    what: 'Endpoints served at once',
    limit: `${limits.webhookSlots} per dispatcher, ${limits.slowWebhookSlots} of failing endpoints and heavy accounts, ${limits.accountWebhookSlots} per account while others wait; ${limits.endpointAttempts} attempts per endpoint`,
    met: 'Waits. The account that used the least time recently is next',
    recovers: 'When attempts end',
  },
  webhook_time: {
    what: 'Time of a delivery attempt',
    limit: `${limits.webhookSeconds} s`,
    met: 'The attempt fails with `timeout`',
    recovers: 'With the next attempt',
  },
  webhook_attempts: {
    what: 'Attempts of a delivery',
    limit: `${webhookRetryDelaysS.length + 1} in ${webhookRetryHours} hours`,
    met: 'The delivery fails. An endpoint that received nothing in this time is disabled',
    recovers: 'When the endpoint is enabled. Events can be sent again',
  },
  daily_webhook_tests: {
    what: 'Webhook test events of an account per day (UTC)',
    limit: formatCount(dailyLimits.webhookTests),
    met: formatResponse('rate_limited'),
    recovers: midnightResetText,
  },
} as const satisfies LimitRows;

export const accountLimits = {
  sign_in_attempts: {
    what: 'Wrong passwords and codes of an account, or of a known device',
    limit: `${maxLoginAttempts}, as set by administrators; and always ${limits.guesses} without a pause of ${formatDuration(limits.guessMinutes * 60)}`,
    met: formatResponse('too_many_attempts'),
    recovers: `After ${formatDuration(lockoutDuration * 60)}, as set by administrators and doubled each time; or after ${formatDuration(limits.guessMinutes * 60)}. By a password reset at once`,
  },
  account_sessions: {
    what: 'Sessions of an account, and known devices',
    limit: `${limits.sessions}, and ${limits.devices}`,
    met: 'A new sign-in ends the least recently used session, and forgets the least recently used device',
    recovers: 'By signing in again',
  },
  password_turns: {
    what: 'Passwords hashed at once',
    limit: '1 per gateway',
    met: 'Waits. The account, or the /24 or /56 network of visitors, that used the least time recently is next',
    recovers: 'When others are hashed',
  },
  waiting_passwords: {
    what: 'Passwords that wait to be hashed',
    limit: `${limits.waitingPasswords} per gateway`,
    met: `${formatResponse('service_unavailable')} for the newest one of the account or network with the most waiting ones`,
    recovers: 'When others are hashed, see `Retry-After`',
  },
  read_turns: {
    what: 'Reads of batches with their items, archives, manifests, and lists of batches, jobs, and events at once',
    limit: `${limits.readSlots} per gateway, 1 of an account`,
    met: 'Waits. The account that used the least time recently is next',
    recovers: 'When other reads end',
  },
  waiting_reads: {
    what: 'Such reads that wait',
    limit: `${limits.waitingReads} per gateway`,
    met: `${formatResponse('service_unavailable')} for the newest one of the account with the most waiting ones`,
    recovers: 'When other reads end, see `Retry-After`',
  },
  coupon_codes: {
    what: 'Unknown coupon codes',
    limit: `${couponRules.accountGuesses} of an account, and ${couponRules.addressGuesses} of an IP address, without a pause of ${formatDuration(couponRules.guessMinutes * 60)}`,
    met: formatResponse('rate_limited'),
    recovers: `After ${formatDuration(couponRules.guessMinutes * 60)}`,
  },
  mails: {
    what: 'Emails of one kind to an account',
    limit: `${limits.mailsOfKind} in ${formatDuration(limits.mailsOfKindMinutes * 60)}; links: 1 in ${formatDuration(limits.linkMailSeconds)}`,
    met: `The same response, but no email. Change of the email address: ${formatResponse('rate_limited')}`,
    recovers: 'With time',
  },
  new_address_mails: {
    what: 'Links to confirm a new email address, for each mailbox',
    limit: `${limits.newAddressMails} without a pause of ${formatDuration(limits.newAddressMinutes * 60)}`,
    met: 'The same response, but no email',
    recovers: 'After the pause',
  },
  alias_mails: {
    what: 'Emails to unconfirmed email addresses of one mailbox that are spelled with `+`, or for Gmail with periods',
    limit: `${limits.aliasMails} without a pause of ${formatDuration(limits.aliasMailsHours * 3_600)}`,
    met: 'The same response, but no email',
    recovers: 'After the pause',
  },
  confirmation_mails: {
    what: 'Links to confirm a subscription, for each mailbox',
    limit: `${newsletterLimits.confirmationsPerDay} in 24 hours`,
    met: 'The same response, but no email',
    recovers: 'With time',
  },
  exports: {
    what: 'Data exports of an account',
    limit: `1 in ${formatDuration(limits.exportPauseHours * 3_600)}`,
    met: 'The existing export is returned',
    recovers: 'With time',
  },
  api_keys: {
    what: 'API keys of an account',
    limit: `${limits.apiKeys}; on plans without API access: ${limits.sandboxKeys} sandbox key`,
    met: formatResponse('api_key_limit'),
    recovers: 'When one is deleted or expires',
  },
  daily_api_keys: {
    what: 'New and rotated API keys of an account in a day (UTC)',
    limit: formatCount(dailyLimits.apiKeys),
    met: formatResponse('rate_limited'),
    recovers: midnightResetText,
  },
} as const satisfies LimitRows;
