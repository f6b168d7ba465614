import type { AppError } from '@uprez/contracts/app-error';
import { documentationPage } from '@uprez/contracts/pages';
import type { Problem } from '@uprez/contracts/problem';
import { snakeCase } from './snake-case.ts';

/** An error as callers that accept problem documents read it. */
export const presentProblem = ({ code, status, message, param, allowed, meta }: AppError): Problem => ({
  code,
  status,
  detail: message,
  ...(param === undefined ? {} : { param }),
  ...(allowed === undefined ? {} : { allowed }),
  ...(meta === undefined ? {} : { meta }),
});

/** The same as the public API answers it: which request it was, and where its code is explained. */
export const presentV1Problem = (error: AppError, { id, publicUrl }: { id: string; publicUrl: string }): unknown => ({
  ...(snakeCase(presentProblem(error)) as object),
  request_id: id,
  documentation_url: `${publicUrl.replace(/\/+$/, '')}${documentationPage}#${error.code}`,
});
