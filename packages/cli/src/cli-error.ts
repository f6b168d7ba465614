import { ApiError, ConnectionError, JobFailedError, UprezError } from '@uprez/sdk-node';

export const exitCodes = {
  ok: 0,
  /** Some images failed. The others are done. */
  someFailed: 1,
  /** The command line or the API key is invalid. Nothing was processed. */
  usage: 2,
  /** Processing stopped early: for example, the quota is used up, or the service can't be reached. */
  stopped: 3,
  /**
   * A bucket can't be used, for example because it doesn't exist or the credentials are invalid. The remaining images
   * weren't charged.
   */
  bucket: 4,
  interrupted: 130,
} as const;

export class CliError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

const fatalCodes: Record<string, number> = {
  not_found: exitCodes.stopped,
  unexpected_answer: exitCodes.stopped,
  bad_api_key: exitCodes.usage,
  wrong_scope: exitCodes.usage,
  invalid_parameter: exitCodes.usage,
  conflicting_params: exitCodes.usage,
  address_not_allowed: exitCodes.stopped,
  email_unverified: exitCodes.stopped,
  terms_not_accepted: exitCodes.stopped,
  plan_feature: exitCodes.stopped,
  quota_exceeded: exitCodes.stopped,
  key_cap_exceeded: exitCodes.stopped,
  rate_limited: exitCodes.stopped,
  storage_full: exitCodes.stopped,
  maintenance: exitCodes.stopped,
  service_unavailable: exitCodes.stopped,
};

/** Converts an error that affects all images to a CliError. Returns `undefined` for other errors. */
export function toFatalError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof ConnectionError) return new CliError(error.message, exitCodes.stopped);
  if (!(error instanceof UprezError) || error instanceof JobFailedError) return undefined;
  const exitCode = fatalCodes[error.code];
  if (exitCode === undefined) return undefined;
  const hint = error instanceof ApiError ? error.hint : undefined;
  return new CliError([error.message, hint].filter(Boolean).join(' '), exitCode);
}
