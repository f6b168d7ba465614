import * as z from 'zod';

/** Values of the security settings beyond which a recommendation appears. */
export const recommendedSettings = {
  /** Least minimum length of passwords, characters. */
  minPasswordLength: 12,
  /** Longest idle time of sessions, minutes. */
  sessionTimeout: 1_440,
  /** Most failed sign-ins before a lockout. */
  maxLoginAttempts: 10,
} as const;

/** In the order in which they are listed. */
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

/** What would make the site safer. `value`: the number of what it is about, or the present value of the setting. */
export const recommendationSchema = z.object({ code: z.enum(recommendationCodes), value: z.int() });
export type Recommendation = z.infer<typeof recommendationSchema>;
