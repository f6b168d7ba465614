import type { Anomaly } from '@uprez/contracts/schemas/admin/logs';
import { expect, it } from 'vitest';
import { toAnomalyEventsPath } from './access-log-page.tsx';

const none = { day: '2026-11-24', keyId: null, userId: null, address: null } as Anomaly;

it('leads from an anomaly to its events', () => {
  const userId = 'b7e23ec2-9af4-4b0c-8f5a-1d3c5e7f9a0b';
  const page = '/admin/security/logs';
  const days = 'from=2026-11-24&to=2026-11-24';
  const linkOf = (anomaly: Partial<Anomaly>) => toAnomalyEventsPath({ ...none, ...anomaly });
  expect(linkOf({ rule: 'new_network', userId, address: '192.0.2.1' })).toBe(`${page}?user=${userId}&${days}`);
  expect(linkOf({ rule: 'failures', userId })).toBe(`${page}?user=${userId}&${days}`);
  expect(linkOf({ rule: 'failures', address: '2001:db8::1' })).toBe(`${page}?address=2001%3Adb8%3A%3A1&${days}`);
  expect(linkOf({ rule: 'key_burst', userId, keyId: 'k' })).toBe(`${page}?key=k`);
});
