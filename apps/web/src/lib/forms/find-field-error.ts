import { ApiError } from '@uprez/client/api-error';

/** Fields of error codes whose responses name no parameter. */
const fieldOfCode: Partial<Record<string, string>> = {
  password_too_short: 'password',
  password_too_common: 'password',
  wrong_password: 'password',
  bad_credentials: 'password',
  too_many_attempts: 'password',
  email_taken: 'email',
  bad_two_factor_code: 'code',
};

/** Returns the form field that an API error concerns, with its message, or undefined if it concerns none. */
export function findFieldError(error: unknown): { field: string; message: string } | undefined {
  if (!(error instanceof ApiError)) return undefined;
  // The error of a list's element, such as `addresses/0`, is shown at the list's field.
  const field = error.param?.split('/')[0] ?? fieldOfCode[error.code ?? ''];
  return field ? { field, message: error.sentence } : undefined;
}
