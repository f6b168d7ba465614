import { type AnomalyRule, anomalyLimits } from '../../policy/admin/anomalies.ts';
import type { AnomalyFacts } from '../../schemas/admin/access-log.ts';
import { formatCount, pluralize } from '../format.ts';

const accountOf = ({ account }: AnomalyFacts) => account ?? 'A deleted account';
/** Deleting an account also deletes its anomalies, so a key without an account is a service key. */
const keyOf = ({ account, key }: AnomalyFacts) =>
  account === null ? `The service key "${key}"` : `The API key "${key}" of ${account}`;
const failuresOf = ({ count }: AnomalyFacts) =>
  `${pluralize(count, 'failed attempt')} within ${anomalyLimits.failureMinutes} minutes`;

const sentences: Record<AnomalyRule, (facts: AnomalyFacts) => string> = {
  new_network: (facts) =>
    `${accountOf(facts)} signed in on a new device from a new network (IP address ${facts.address ?? 'unknown'}).`,
  new_country: (facts) =>
    `${accountOf(facts)} signed in from a new country (${facts.country}, IP address ${facts.address ?? 'unknown'}).`,
  failures: (facts) =>
    facts.account === null
      ? `${failuresOf(facts)} to sign in from the IP address ${facts.address}.`
      : `${failuresOf(facts)} to sign in to ${facts.account}.`,
  key_burst: (facts) =>
    `${keyOf(facts)} made ${pluralize(facts.count, 'call')} in an hour. Its median is ${formatCount(facts.median ?? 0)}.`,
};

/** Describes an anomaly in a sentence. */
export const describeAnomaly = (facts: AnomalyFacts): string => sentences[facts.rule](facts);
