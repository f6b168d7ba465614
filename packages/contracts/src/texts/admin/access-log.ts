import type { AccessFilterKind, AccessKind, StatusClass } from '../../policy/admin/access-log.ts';

/** Names of event kinds in tables. */
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

/** Names of the list's filters. Reads by administrators are most of the events, so only two filters include them. */
export const accessFilterNames: Record<AccessFilterKind, string> = {
  ...accessKindNames,
  admin_call: 'Administrator calls and reads',
  all: 'All events and reads',
};

/** Names of status code classes in filters. */
export const statusClassNames: Record<StatusClass, string> = {
  '2xx': '2xx Success',
  '3xx': '3xx Redirect',
  '4xx': '4xx Client error',
  '5xx': '5xx Server error',
};
