import type { AnomalyFacts } from '@uprez/contracts/schemas/admin/logs';
import { expect, it } from 'vitest';
import { texts } from './texts.ts';

const facts = { siteName: 'Uprez', supportEmail: 's@x.test', publicUrl: 'https://x.test', firstName: null };
const none = { account: null, key: null, address: null, country: null, median: null };
const seen: AnomalyFacts[] = [
  { ...none, rule: 'new_network', account: 'ada@x.test', address: '192.0.2.1', count: 1 },
  { ...none, rule: 'new_country', account: 'ada@x.test', address: '192.0.2.1', country: 'FR', count: 1 },
  { ...none, rule: 'failures', account: 'ada@x.test', count: 20 },
  { ...none, rule: 'failures', address: '192.0.2.1', count: 21 },
  { ...none, rule: 'key_burst', account: 'ada@x.test', key: 'CI', count: 1_200, median: 20.5 },
  { ...none, rule: 'key_burst', key: 'Monitor', count: 100, median: 5 },
];

it('an email about anomalies describes each of them, without links from user input', () => {
  const { lines, action } = texts.anomalies({ mail: 'anomalies', anomalies: seen, more: 2 }, facts);
  expect(lines.map((line) => line.replaceAll('\u2060', ''))).toEqual([
    'ada@x.test signed in on a new device from a new network (IP address 192.0.2.1).',
    'ada@x.test signed in from a new country (FR, IP address 192.0.2.1).',
    '20 failed attempts within 10 minutes to sign in to ada@x.test.',
    '21 failed attempts within 10 minutes to sign in from the IP address 192.0.2.1.',
    'The API key "CI" of ada@x.test made 1,200 calls in an hour. Its median is 20.5.',
    'The service key "Monitor" made 100 calls in an hour. Its median is 5.',
    'We found 2 more events like these.',
    'Check whether you recognize this. If not, suspend the account or delete the API key.',
  ]);
  expect(lines[0]).toContain('ada@\u2060x.\u2060test');
  expect(action?.url).toBe('https://x.test/admin/security/logs');
});
