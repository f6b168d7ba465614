import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { BillingAccount } from '@uprez/contracts/schemas/billing/admin-payments';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { AccountCell } from './cells.tsx';

const account = { id: '1', email: 'ada@example.test', name: 'Ada' };
const textOf = (shown: BillingAccount) => {
  const cell = createElement(AccountCell, { account: shown, id: 'cus_1' });
  const page = createElement(QueryClientProvider, { client: new QueryClient() }, cell);
  return renderToStaticMarkup(page).replaceAll(/(<[^>]*>)+/g, '|');
};

it('names the plan that an administrator set, and its end', () => {
  expect(textOf({ ...account, override: null })).toBe('|Ada|ada@example.test|');
  expect(textOf({ ...account, override: { tier: 'api_pro', until: null } })).toBe(
    '|Ada|ada@example.test|API Pro set by an administrator|',
  );
  const until = '2026-12-24T12:00:00.000Z';
  expect(textOf({ ...account, override: { tier: 'api_pro', until } })).toBe(
    '|Ada|ada@example.test|API Pro set by an administrator until Dec 24, 2026|',
  );
  expect(textOf(null)).toBe('|Deleted account (cus_1)|');
});
