import * as z from 'zod';

/** Thresholds of the security settings beyond which a recommendation appears. */
export const recommendedSettings = {
  /** Lowest recommended minimum length of passwords, in characters. */
  minPasswordLength: 12,
  /** Longest recommended idle time of sessions, in minutes. */
  sessionTimeout: 1_440,
  /** Highest recommended number of failed sign-ins before a lockout. */
  maxLoginAttempts: 10,
} as const;

/** Codes of the recommendations, in display order. */
export const recommendationCodes = [
  'two_factor_optional',
  'staff_without_two_factor',
  'single_owner',
  'rate_limits_off',
  'short_passwords',
  'many_login_attempts',
  'long_sessions',
  'insecure_origins',
  'unattended_service_keys',
  'unused_keys',
] as const;
export type RecommendationCode = (typeof recommendationCodes)[number];

/** A security recommendation. `value`: number of affected items, or current value of the setting. */
export const recommendationSchema = z.object({ code: z.enum(recommendationCodes), value: z.int() });
export type Recommendation = z.infer<typeof recommendationSchema>;
