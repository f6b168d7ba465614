import { ApiError, ConnectionError, JobFailedError, UprezError } from '@uprez/sdk-node';
import { CliError, exitCodes } from '../cli-error.ts';

const fatalCodes: Record<string, number> = {
  not_found: exitCodes.stopped,
  unexpected_answer: exitCodes.stopped,
  bad_api_key: exitCodes.usage,
  wrong_scope: exitCodes.usage,
  invalid_parameter: exitCodes.usage,
  conflicting_params: exitCodes.usage,
  address_not_allowed: exitCodes.stopped,
  email_unverified: exitCodes.stopped,
  plan_feature: exitCodes.stopped,
  quota_exceeded: exitCodes.stopped,
  key_cap_exceeded: exitCodes.stopped,
  rate_limited: exitCodes.stopped,
  storage_full: exitCodes.stopped,
  maintenance: exitCodes.stopped,
  service_unavailable: exitCodes.stopped,
};

/** Converts an error that affects all images. Returns `undefined` for other errors. */
export function toFatalError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof ConnectionError) return new CliError(error.message, exitCodes.stopped);
  if (!(error instanceof UprezError) || error instanceof JobFailedError) return undefined;
  const exitCode = fatalCodes[error.code];
  if (exitCode === undefined) return undefined;
  const hint = error instanceof ApiError ? error.hint : undefined;
  return new CliError([error.message, hint].filter(Boolean).join(' '), exitCode);
}
