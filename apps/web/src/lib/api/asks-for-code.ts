import { hasCode } from './has-code.ts';

/** Whether a call was refused for want of the code of an authenticator app. */
export const asksForCode = (error: unknown): boolean => hasCode(error, 'two_factor_required');
