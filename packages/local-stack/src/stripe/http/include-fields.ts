import { idOf } from '../resources/merge-field.ts';
import type { Store } from '../state/open-store.ts';

type Include = (store: Store, id: string) => unknown;

/** Fields that Stripe sends only where they are expanded, by the type of their object. */
const includable: Record<string, Record<string, Include>> = {
  charge: { refunds: listRefunds },
  coupon: { applies_to: (store, id) => store.get('couponScopes', id)?.appliesTo },
};

/** Adds a field to an object of a reply, if it is one that must be asked for. */
export function includeField(store: Store, node: object, key: string): void {
  const { id, object } = { id: '', object: '', ...node };
  const value = includable[object]?.[key]?.(store, id);
  if (value !== undefined) Reflect.set(node, key, structuredClone(value));
}

function listRefunds(store: Store, charge: string) {
  const data = store.list('refunds').filter((refund) => idOf(refund.charge) === charge);
  return { object: 'list', data, has_more: false, url: `/v1/charges/${charge}/refunds` };
}
