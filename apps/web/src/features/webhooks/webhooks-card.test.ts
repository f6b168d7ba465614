import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { routes } from '@uprez/contracts/endpoints/routes';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { WebhooksCard, webhookStateOf } from './webhooks-card.tsx';

const failingSince = '2026-01-01T00:00:00.000Z';

test.each([
  [{ isActive: true, failingSince: null }, 'active'],
  [{ isActive: true, failingSince }, 'failing'],
  [{ isActive: false, failingSince }, 'off'],
  [{ isActive: false, failingSince: null }, 'off'],
] as const)('an endpoint %o is %s', (webhook, state) => {
  expect(webhookStateOf(webhook)).toBe(state);
});

const endpoint: WebhookView = {
  ...{ id: '1', kind: 'endpoint', url: 'https://shop.example/hooks', description: '', events: [], sandbox: false },
  ...{ isActive: true, disabledReason: null, disabledAt: null, failingSince: null, lastDeliveredAt: null },
  ...{ formerSecretUntil: null, createdAt: failingSince },
};

/** The card of an account with these endpoints. */
function render(subscriptionTier: Tier, rows: readonly WebhookView[]): string {
  const client = new QueryClient({ defaultOptions: { queries: { queryFn: () => rows } } });
  client.setQueryData([routes.listWebhooks.path], rows);
  const user = { subscriptionTier, planVersion: currentPlans[subscriptionTier].version };
  const card = createElement(MemoryRouter, null, createElement(WebhooksCard, { user }));
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, card));
}

test('a lapsed account sees its endpoints, which cannot be changed', () => {
  const lapsed = render('free', [endpoint]);
  expect(lapsed).toContain('https://shop.example/hooks');
  expect(lapsed).toContain('receive events on your current plan');
  expect(lapsed).not.toContain('role="switch"');
  expect(lapsed).not.toContain('Add endpoint');
  expect(render('free', [])).toBe('');
  const paid = render('api_pro', [endpoint]);
  expect(paid).toContain('role="switch"');
  expect(paid).toContain('Add endpoint');
});
