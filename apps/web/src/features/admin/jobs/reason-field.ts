import { emptyAsUndefined } from '../../../lib/forms/use-api-form.ts';
import { reasonText } from './operation-messages.ts';

/** The reason of a change, which may be empty. */
export const reasonField = { name: 'reason', rules: emptyAsUndefined, autoComplete: 'off', ...reasonText } as const;
