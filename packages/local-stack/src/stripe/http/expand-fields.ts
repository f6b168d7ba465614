import type { Store } from '../state/open-store.ts';
import type { TableName } from '../state/tables.ts';
import { invalidRequest } from '../stripe-error.ts';
import { includeField } from './include-fields.ts';

/** Fields that hold the ID of an object, and where that object is. */
const expandable: Record<string, TableName> = {
  charge: 'charges',
  coupon: 'coupons',
  customer: 'customers',
  default_payment_method: 'paymentMethods',
  default_price: 'prices',
  discounts: 'discounts',
  invoice: 'invoices',
  latest_charge: 'charges',
  latest_invoice: 'invoices',
  payment_intent: 'paymentIntents',
  payment_method: 'paymentMethods',
  pending_setup_intent: 'setupIntents',
  price: 'prices',
  product: 'products',
  promotion_code: 'promotionCodes',
  schedule: 'subscriptionSchedules',
  subscription: 'subscriptions',
  test_clock: 'testClocks',
};

const DEEPEST = 4;

/** Returns a copy of a reply in which the fields at `paths`, such as `data.product`, hold objects instead of IDs. */
export function expandFields<T extends object>(store: Store, reply: T, paths: readonly string[]): T {
  const copy = structuredClone(reply);
  for (const path of paths) expandPath(store, copy, path);
  return copy;
}

function expandPath(store: Store, reply: object, path: string): void {
  const keys = path.split('.');
  if (keys.length > DEEPEST)
    throw invalidRequest(`You cannot expand more than ${DEEPEST} levels of a property. Property: ${path}`);
  let nodes: object[] = [reply];
  for (const key of keys) nodes = nodes.flatMap((node) => stepInto(store, node, key));
}

/** Expands one field, and returns the objects that it holds. A list is entered at its elements. */
function stepInto(store: Store, node: object, key: string): object[] {
  const isIncluded = includeField(store, node, key);
  if (!(key in node) && isIncluded) return [];
  if (!(key in node)) throw notExpandable(key);
  const value: unknown = Reflect.get(node, key);
  const expand = (one: unknown) => (typeof one === 'string' ? findObject(store, key, one) : one);
  const held = Array.isArray(value) ? value.map(expand) : expand(value);
  Reflect.set(node, key, held);
  const objects = Array.isArray(held) ? held : [held];
  return objects.filter((object): object is object => typeof object === 'object' && object !== null);
}

function findObject(store: Store, key: string, id: string): object {
  const table = expandable[key];
  const row = table && store.get(table, id);
  if (!row) throw notExpandable(key);
  return structuredClone(row);
}

const notExpandable = (key: string) =>
  invalidRequest(`This property cannot be expanded (${key}).`, { code: 'property_not_expandable', param: 'expand' });
