import { ApiError } from '@uprez/client/api-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { messages } from '../../messages.ts';

/** Whether an error is an API error with this code. */
export const hasErrorCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ApiError && error.code === code;

/** The server's error message, or that the server could not be reached. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiError ? error.sentence : messages.error.unreachable;
