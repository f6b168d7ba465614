import { expect, it } from 'vitest';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { endpoints } from '../endpoints/endpoints.ts';
import { type RouteName, routes } from '../endpoints/routes.ts';
import { rateClassOf } from './rate-limits.ts';

const needsProof = ({ auth, errors }: Endpoint) =>
  auth === 'session' && ['wrong_password', 'step_up_required'].some((code) => (errors as string[]).includes(code));

it('counts requests of users that need a proof by password or code as proofs', () => {
  const names = (Object.keys(endpoints) as RouteName[]).filter((name) => needsProof(endpoints[name]));
  expect(names).toContain('deletePasskey');
  expect(names.filter((name) => rateClassOf(name) !== 'proofs')).toEqual([]);
});

it('limits every route except the health check and the signed calls of Stripe', () => {
  const names = Object.keys(routes) as RouteName[];
  expect(names.filter((name) => rateClassOf(name) === undefined)).toEqual(['stripeWebhook', 'health']);
});
