import { expect, test } from 'vitest';
import { webhookState } from './webhooks-card.tsx';

const failingSince = '2026-01-01T00:00:00.000Z';

test.each([
  [{ isActive: true, failingSince: null }, 'active'],
  [{ isActive: true, failingSince }, 'failing'],
  [{ isActive: false, failingSince }, 'off'],
  [{ isActive: false, failingSince: null }, 'off'],
] as const)('an endpoint %o is %s', (webhook, state) => {
  expect(webhookState(webhook)).toBe(state);
});
