import * as z from 'zod';
import { anomalyRules } from '../policy/anomalies.ts';

/**
 * What a rule found. `account` and `key`: the email address of the account, and the name of the API key. `count`: new
 * sign-ins of a day, most failures within ten minutes, or most calls in an hour. `median`: of the calls per hour.
 */
export const anomalyFactsSchema = z.object({
  rule: z.enum(anomalyRules),
  account: z.string().nullable(),
  key: z.string().nullable(),
  address: z.string().nullable(),
  country: z.string().nullable(),
  count: z.int(),
  median: z.number().nullable(),
});
export type AnomalyFacts = z.infer<typeof anomalyFactsSchema>;
