import { type ErrorCode, errorCodes } from './error-codes.ts';

type MessageOf = { code: ErrorCode; message?: string | null | undefined };

/** The message of an error to a user who could have been charged for the request or job that failed. */
export function chargeableMessage({ code, message }: MessageOf): string {
  const { title, charged } = errorCodes[code];
  const sentence = message || title;
  return charged === false ? `${sentence} You weren't charged.` : sentence;
}
