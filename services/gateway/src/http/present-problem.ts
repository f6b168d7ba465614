import type { AppError } from '@uprez/contracts/errors/app-error';
import { errorHints } from '@uprez/contracts/errors/error-hints';
import type { Problem } from '@uprez/contracts/errors/problem';
import { snake } from '@uprez/contracts/v1/snake';
import type { Config } from '../config.ts';
import { absoluteUrl, documentationUrl } from './public-links.ts';
import { snakeCase } from './snake-case.ts';

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

/** The same as the public API answers it: which request it was, what helps, and where its code is explained. */
export function presentV1Problem(error: AppError, { id, config }: { id: string; config: Pick<Config, 'PUBLIC_URL'> }) {
  const { code, meta, allowed } = error;
  // Nobody is sent to look at what is not there.
  const hint = error.hint ?? (code === 'invalid_parameter' && allowed === undefined ? undefined : errorHints[code]);
  return {
    ...(snakeCase(presentProblem(error)) as object),
    ...(Array.isArray(allowed) && { allowed: allowed.map((name: unknown) => (isName(name) ? snake(name) : name)) }),
    ...(typeof meta?.upgradeUrl === 'string' && {
      meta: { ...(snakeCase(meta) as object), upgrade_url: absoluteUrl(config, meta.upgradeUrl) },
    }),
    ...(hint && { hint }),
    ...(typeof meta?.maxFactor === 'number' && { max_scale: meta.maxFactor }),
    request_id: id,
    documentation_url: documentationUrl(config, code),
  };
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^[a-z]+[A-Z][A-Za-z]*$/.test(value);
