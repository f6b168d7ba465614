import { ApiError } from '@uprez/client/api-error';

const fieldOfCode: Partial<Record<string, string>> = {
  password_too_short: 'password',
  password_too_common: 'password',
  wrong_password: 'password',
  email_taken: 'email',
  bad_two_factor_code: 'code',
};

/** Which field of a form an error is about, with its sentence; empty where it is about none. */
export function fieldErrors(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  // One of several values, `addresses/0`, is told at their field.
  const field = error.param?.split('/')[0] ?? fieldOfCode[error.code ?? ''];
  return field ? { [field]: error.sentence } : {};
}
