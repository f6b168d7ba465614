import type { AppError } from '@uprez/contracts/errors/app-error';
import type { Problem } from '@uprez/contracts/errors/problem';

/** An error as callers that accept problem documents read it. */
export const presentProblem = ({ code, status, message, param, allowed, got, meta }: AppError): Problem => ({
  code,
  status,
  detail: message,
  ...(param === undefined ? {} : { param }),
  ...(allowed === undefined ? {} : { allowed }),
  ...(got === undefined ? {} : { got }),
  ...(meta === undefined ? {} : { meta }),
});
