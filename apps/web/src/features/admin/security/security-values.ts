import { type SecuritySettings, securitySettingsSchema } from '@uprez/contracts/schemas/settings';
import * as z from 'zod';
import { describeRange, parseNumber } from '../../../ui/controls/number-field.tsx';

export type StoredSecurity = SecuritySettings & { version: number };

const { shape } = securitySettingsSchema;
/** The values before the first write. */
export const securityDefaults = securitySettingsSchema.parse({});

/** The settings that are numbers. */
export type NumberSetting =
  | 'sessionTimeout'
  | 'maxLoginAttempts'
  | 'lockoutDuration'
  | 'rateLimitRequests'
  | 'minPasswordLength';

/** A number as typed, with the range of the contract. */
function numberSchema(name: NumberSetting) {
  const { minValue, maxValue } = shape[name].unwrap();
  const range = { min: minValue ?? 0, max: maxValue ?? Number.MAX_SAFE_INTEGER };
  return z.string().refine((text) => parseNumber(text, range) !== undefined, { error: describeRange(range) });
}

const toLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export const securityFormSchema = z.object({
  requireTwoFactor: z.boolean(),
  rateLimitEnabled: z.boolean(),
  sessionTimeout: numberSchema('sessionTimeout'),
  maxLoginAttempts: numberSchema('maxLoginAttempts'),
  lockoutDuration: numberSchema('lockoutDuration'),
  rateLimitRequests: numberSchema('rateLimitRequests'),
  minPasswordLength: numberSchema('minPasswordLength'),
  /** One origin per line. */
  allowedOrigins: z.string().transform(toLines).pipe(shape.allowedOrigins.unwrap()),
});
export type SecurityValues = z.input<typeof securityFormSchema>;

export const toSecurityValues = ({ version: _, ...stored }: StoredSecurity): SecurityValues => ({
  ...stored,
  sessionTimeout: String(stored.sessionTimeout),
  maxLoginAttempts: String(stored.maxLoginAttempts),
  lockoutDuration: String(stored.lockoutDuration),
  rateLimitRequests: String(stored.rateLimitRequests),
  minPasswordLength: String(stored.minPasswordLength),
  allowedOrigins: stored.allowedOrigins.join('\n'),
});

/** The settings of a valid form. */
export const toSecuritySettings = (values: SecurityValues): SecuritySettings => ({
  ...values,
  sessionTimeout: Number(values.sessionTimeout),
  maxLoginAttempts: Number(values.maxLoginAttempts),
  lockoutDuration: Number(values.lockoutDuration),
  rateLimitRequests: Number(values.rateLimitRequests),
  minPasswordLength: Number(values.minPasswordLength),
  allowedOrigins: toLines(values.allowedOrigins),
});
