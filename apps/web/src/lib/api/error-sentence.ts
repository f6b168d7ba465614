import { ApiError } from '@uprez/client/api-error';
import { messages } from '../../messages.ts';

/** What a person is told of a failed call: the server's sentence, or that it could not be reached. */
export const errorSentence = (error: unknown): string =>
  error instanceof ApiError ? error.sentence : messages.error.unreachable;
