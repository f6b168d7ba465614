import { ApiError } from '@uprez/client/api-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';

/** Whether a call was answered with this very error. */
export const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof ApiError && error.code === code;
