import type { AccessFilterKind, AccessKind, StatusClass } from '../../policy/admin/access-log.ts';

/** Kinds of events, as tables show them. */
export const accessKindNames: Record<AccessKind, string> = {
  sign_in: 'Sign-in',
  sign_in_failed: 'Failed sign-in',
  two_factor_failed: 'Wrong two-factor code',
  account_locked: 'Account locked',
  password_reset: 'Password reset',
  key_new_network: 'API key from a new network',
  rejected: 'Rejected',
  admin_call: 'Administrator call',
};

/** Filters of the list. Reads of administrators are most of the events. */
export const accessFilterNames: Record<AccessFilterKind, string> = {
  ...accessKindNames,
  admin_call: 'Administrator calls and reads',
  all: 'All events and reads',
};

/** Classes of status codes, as filters show them. */
export const statusClassNames: Record<StatusClass, string> = {
  '2xx': '2xx Success',
  '3xx': '3xx Redirect',
  '4xx': '4xx Client error',
  '5xx': '5xx Server error',
};
