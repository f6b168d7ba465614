import { limits } from '@uprez/contracts/policy/limits';
import { type RecommendationCode, recommendedSettings } from '@uprez/contracts/schemas/security/recommendations';
import { formatCount, pluralize } from '@uprez/contracts/texts/format';

const isAre = (count: number) => (count === 1 ? 'is' : 'are');
const administrators = (count: number) => pluralize(count, 'administrator');
const keys = (count: number) => pluralize(count, 'API key');

/** Texts of the security settings. */
export const securitySettingsMessages = {
  title: 'Security Settings',
  subtitle: 'Sign-in, sessions, passwords, and API access',
  history: 'View history',
  byDefault: (value: number) => `Default: ${formatCount(value)}.`,
  signIn: 'Sign-in',
  requireTwoFactor: 'Require two-factor authentication',
  requireTwoFactorHint: "Administrators without it can't use the back office until they turn it on. Off by default.",
  ownTwoFactor: "You don't use two-factor authentication. Turn it on before you require it of everyone.",
  turnOn: 'Open your account',
  sessionTimeout: 'Session timeout (minutes)',
  sessionTimeoutHint: 'Users are signed out after this time without activity.',
  maxLoginAttempts: 'Max login attempts',
  maxLoginAttemptsHint: 'Failed attempts before the account is locked.',
  lockoutDuration: 'Lockout duration (minutes)',
  lockoutDurationHint: 'How long sign-in stays locked.',
  minPasswordLength: 'Minimum password length',
  minPasswordLengthHint: 'For new passwords. Existing passwords keep working.',
  api: 'API access',
  rateLimitEnabled: 'Rate limiting',
  rateLimitEnabledHint: 'Limits requests per minute. Limits by IP address always apply. On by default.',
  rateLimitRequests: 'Requests per minute',
  rateLimitRequestsHint: 'For the Free plan. Plans with a higher limit keep it.',
  allowedOrigins: 'Allowed origins',
  allowedOriginsHint:
    'Websites that can call the public API from a browser with any API key. Keys can allow more. One per line, such as https://example.com.',
  recommendations: {
    title: 'Recommendations',
    none: 'Your settings follow all recommendations.',
    fix: 'Go to setting',
    texts: {
      two_factor_optional: () => "Two-factor authentication isn't required for administrators.",
      staff_without_two_factor: (count) =>
        `${administrators(count)} ${count === 1 ? "doesn't" : "don't"} use two-factor authentication.`,
      single_owner: () => 'There is only 1 owner. Make a second person an owner in case the first one loses access.',
      rate_limits_off: () => 'Rate limits are off.',
      short_passwords: (length) =>
        `Passwords can be as short as ${pluralize(length, 'character')}. Require at least ${recommendedSettings.minPasswordLength}.`,
      many_login_attempts: (attempts) =>
        `${pluralize(attempts, 'failed sign-in')} ${isAre(attempts)} possible before a lockout. Allow at most ${recommendedSettings.maxLoginAttempts}.`,
      long_sessions: (minutes) =>
        `Sessions end after ${pluralize(minutes, 'minute')} without activity. Use at most ${formatCount(recommendedSettings.sessionTimeout)}.`,
      insecure_origins: (count) =>
        `${pluralize(count, 'allowed origin')} ${count === 1 ? 'uses' : 'use'} http. Use https.`,
      unattended_service_keys: (count) =>
        `${pluralize(count, 'active service key')} ${count === 1 ? 'was' : 'were'} created by someone who can't manage keys anymore.`,
      unused_keys: (count) => `${keys(count)} ${isAre(count)} active, but unused for ${limits.apiKeyUnusedDays} days.`,
    } satisfies Record<RecommendationCode, (value: number) => string>,
    links: {
      staff_without_two_factor: 'Show administrators',
      single_owner: 'Show administrators',
      unattended_service_keys: 'Show service keys',
      unused_keys: 'Show unused keys',
    } satisfies Partial<Record<RecommendationCode, string>>,
  },
} as const;
