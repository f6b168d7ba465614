import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { ParamShapes, ReplyShapes } from '../shapes.ts';
import type { Store } from '../state/open-store.ts';
import type { TableName } from '../state/tables.ts';
import { invalidRequestError, notServedError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';

/** Parameters that the double supports in every call. */
const commonParams = ['ending_before', 'expand', 'limit', 'starting_after'] as const;

export type Params<P extends keyof ParamShapes> = Wire<ParamShapes[P]>;
export type ServedParams<P extends keyof ParamShapes, S> = Pick<
  Params<P>,
  Extract<keyof Params<P>, S | (typeof commonParams)[number]>
>;

interface CallShape<P extends keyof ParamShapes> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path with `:id` in place of an object's ID. */
  path: string;
  /** Name of the shape that describes the call's parameters. */
  params: P;
  /**
   * The parameters that the double supports in addition to `commonParams`. Stripe's other parameters are rejected
   * instead of ignored.
   */
  serves?: readonly PropertyKey[];
  reply: keyof ReplyShapes;
  run(context: Context, params: Params<P>, id: string): object;
}

interface Call<P extends keyof ParamShapes, S extends keyof Params<P>, R extends keyof ReplyShapes>
  extends CallShape<P> {
  serves?: readonly S[];
  reply: R;
  run(context: Context, params: ServedParams<P, S>, id: string): Wire<ReplyShapes[R]> & object;
}

export interface ServedCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  params: keyof ParamShapes;
  serves: ReadonlySet<PropertyKey>;
  /**
   * Validates the parameters, runs the call, expands the reply, and validates it. Synchronous, because the store's
   * transactions are synchronous.
   */
  handle(context: Context, input: object, id: string): object;
}

/** Defines a call that `defineResource` doesn't cover. */
export const defineCall: <P extends keyof ParamShapes, R extends keyof ReplyShapes, S extends keyof Params<P> = never>(
  call: Call<P, S, R>,
) => ServedCall = serveCall;

/** Same as `defineCall`, but the compiler doesn't compare the reply and the parameters with their shapes. */
export function serveCall<P extends keyof ParamShapes>(call: CallShape<P>): ServedCall {
  const serves = new Set<PropertyKey>([...commonParams, ...(call.serves ?? [])]);
  return {
    method: call.method,
    path: call.path,
    params: call.params,
    serves,
    handle: (context, input, id) => {
      const params = context.schemas.parseParams(call.params, input);
      requireServedParams(input, serves);
      const reply = call.run(context, params, id);
      const expanded = expandFields(context.store, reply, listExpandPaths(input));
      context.schemas.checkReply(call.reply, expanded);
      return expanded;
    },
  };
}

function requireServedParams(params: object, served: ReadonlySet<PropertyKey>): void {
  const param = Object.keys(params).find((name) => !served.has(name));
  if (!param) return;
  throw notServedError(`Stripe has the parameter ${param}, but the Stripe double doesn't serve it.`, param);
}

/** The call's schema has already validated `expand`. */
function listExpandPaths(params: object): string[] {
  const paths: unknown = 'expand' in params ? params.expand : [];
  return Array.isArray(paths) ? paths.map(String) : [];
}

/** Maps each field that holds an object's ID to that object's table. */
const expandableTables: Record<string, TableName> = {
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

const MAX_EXPAND_DEPTH = 4;

/** Returns a copy of a reply in which the fields at `paths`, such as `data.product`, hold objects instead of IDs. */
function expandFields<T extends object>(store: Store, reply: T, paths: readonly string[]): T {
  const copy = structuredClone(reply);
  for (const path of paths) expandPath(store, copy, path);
  return copy;
}

function expandPath(store: Store, reply: object, path: string): void {
  const keys = path.split('.');
  if (keys.length > MAX_EXPAND_DEPTH)
    throw invalidRequestError(
      `You cannot expand more than ${MAX_EXPAND_DEPTH} levels of a property. Property: ${path}`,
    );
  let nodes: object[] = [reply];
  for (const key of keys) nodes = nodes.flatMap((node) => stepInto(store, node, key));
}

/** Expands one field and returns the objects in it. If the field is an array, returns its elements. */
function stepInto(store: Store, node: object, key: string): object[] {
  const isIncluded = includeField(store, node, key);
  if (!(key in node) && isIncluded) return [];
  if (!(key in node)) throw notExpandableError(key);
  const value: unknown = Reflect.get(node, key);
  const expand = (one: unknown) => (typeof one === 'string' ? findObject(store, key, one) : one);
  const held = Array.isArray(value) ? value.map(expand) : expand(value);
  Reflect.set(node, key, held);
  const objects = Array.isArray(held) ? held : [held];
  return objects.filter((object): object is object => typeof object === 'object' && object !== null);
}

function findObject(store: Store, key: string, id: string): object {
  const table = expandableTables[key];
  const row = table && store.get(table, id);
  if (!row) throw notExpandableError(key);
  return structuredClone(row);
}

const notExpandableError = (key: string) =>
  invalidRequestError(`This property cannot be expanded (${key}).`, {
    code: 'property_not_expandable',
    param: 'expand',
  });

type ReadField = (store: Store, id: string) => unknown;

/** Fields that Stripe sends only when they are expanded, keyed by object type. */
const onDemandFields: Record<string, Record<string, ReadField>> = {
  charge: { refunds: listRefunds },
  coupon: { applies_to: (store, id) => store.get('couponScopes', id)?.appliesTo },
  invoice: { confirmation_secret: findConfirmationSecret, payments: listInvoicePayments },
};

/**
 * Adds a field to an object in a reply, if Stripe sends the field only when it is expanded. Returns false for other
 * fields.
 */
function includeField(store: Store, node: object, key: string): boolean {
  const { id, object } = { id: '', object: '', ...node };
  const read = onDemandFields[object]?.[key];
  const value = read?.(store, id);
  if (value !== undefined) Reflect.set(node, key, structuredClone(value));
  return read !== undefined;
}

function listRefunds(store: Store, charge: string) {
  const data = store.list('refunds').filter((refund) => idOf(refund.charge) === charge);
  return { object: 'list', data, has_more: false, url: `/v1/charges/${charge}/refunds` };
}

function listInvoicePayments(store: Store, invoice: string) {
  const data = store.list('invoicePayments').filter((payment) => idOf(payment.invoice) === invoice);
  return { object: 'list', data, has_more: false, url: '/v1/invoice_payments' };
}

/** Null if the invoice is a draft or nothing is due. */
function findConfirmationSecret(store: Store, invoice: string) {
  const payment = store.list('invoicePayments').find((one) => idOf(one.invoice) === invoice);
  const intent = store.get('paymentIntents', idOf(payment?.payment.payment_intent) ?? '');
  return intent?.client_secret ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
}
