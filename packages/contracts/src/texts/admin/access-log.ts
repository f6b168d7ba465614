import {
  type AccessFilterKind,
  type AccessKind,
  type AnomalyRule,
  anomalyLimits,
  type StatusClass,
} from '../../policy/admin/logs.ts';
import type { AnomalyFacts } from '../../schemas/admin/logs.ts';
import { formatCount, pluralize } from '../format.ts';

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

/** Names of filters for the access log. Most events are administrators' reads, so only two filters include them. */
export const accessFilterNames: Record<AccessFilterKind, string> = {
  ...accessKindNames,
  admin_call: 'Administrator calls and reads',
  all: 'All events and reads',
};

export const statusClassNames: Record<StatusClass, string> = {
  '2xx': '2xx Success',
  '3xx': '3xx Redirect',
  '4xx': '4xx Client error',
  '5xx': '5xx Server error',
};

const describeAccount = ({ account }: AnomalyFacts) => account ?? 'A deleted account';
/**
 * Returns the subject of a sentence about a key. Without an account, the key is a service key, because an account's
 * anomalies are deleted with the account.
 */
const describeKey = ({ account, key }: AnomalyFacts) =>
  account === null ? `The service key "${key}"` : `The API key "${key}" of ${account}`;
const describeFailures = ({ count }: AnomalyFacts) =>
  `${pluralize(count, 'failed attempt')} within ${anomalyLimits.failureMinutes} minutes`;

const sentences: Record<AnomalyRule, (facts: AnomalyFacts) => string> = {
  new_network: (facts) =>
    `${describeAccount(facts)} signed in on a new device from a new network (IP address ${facts.address ?? 'unknown'}).`,
  new_country: (facts) =>
    `${describeAccount(facts)} signed in from a new country (${facts.country}, IP address ${facts.address ?? 'unknown'}).`,
  failures: (facts) =>
    facts.account === null
      ? `${describeFailures(facts)} to sign in from the IP address ${facts.address}.`
      : `${describeFailures(facts)} to sign in to ${facts.account}.`,
  key_burst: (facts) =>
    `${describeKey(facts)} made ${pluralize(facts.count, 'call')} in an hour. Its median is ${formatCount(facts.median ?? 0)}.`,
};

export const describeAnomaly = (facts: AnomalyFacts): string => sentences[facts.rule](facts);
