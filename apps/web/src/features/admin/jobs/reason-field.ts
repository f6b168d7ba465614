import { emptyAsUndefined } from '../../../lib/forms/use-api-form.ts';
import { reasonText } from './operation-messages.ts';

/** Form field for an optional reason. */
export const optionalReasonField = {
  name: 'reason',
  rules: emptyAsUndefined,
  autoComplete: 'off',
  ...reasonText,
} as const;
