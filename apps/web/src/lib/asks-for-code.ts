import { ApiError } from '@uprez/client/api-error';

/** Whether a call was refused for want of the code of an authenticator app. */
export const asksForCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'two_factor_required';
