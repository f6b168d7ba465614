import type { Context } from '../context.ts';
import { defineResource } from '../http/define-resource.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { mergeMetadata } from '../parameters/merge-field.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

type Price = Tables['prices'];

const prices = defineResource({ path: '/v1/prices', object: 'Price', table: 'prices' });

export const priceCalls = [
  prices.create({
    serves: [
      'active',
      'currency',
      'lookup_key',
      'metadata',
      'nickname',
      'product',
      'recurring',
      'tax_behavior',
      'transfer_lookup_key',
      'unit_amount',
    ],
    run: (context, params) => {
      const { product = '', unit_amount: amount, lookup_key: key } = params;
      getRow(context, 'products', { id: product, param: 'product' });
      if (amount === undefined || amount < 0 || !Number.isInteger(amount))
        throw invalidRequestError('Invalid unit_amount: must be a whole number of cents.', { param: 'unit_amount' });
      if (key) takeLookupKey(context, key, params.transfer_lookup_key);
      const price = fillNulls('Price', {
        id: makeId('price'),
        object: 'price',
        active: params.active ?? true,
        billing_scheme: 'per_unit',
        created: context.now(),
        currency: params.currency.toLowerCase(),
        livemode: false,
        lookup_key: key || null,
        metadata: mergeMetadata({}, params.metadata),
        nickname: params.nickname || null,
        product,
        recurring: params.recurring ? toRecurring(params.recurring) : null,
        tax_behavior: params.tax_behavior ?? 'unspecified',
        type: params.recurring ? 'recurring' : 'one_time',
        unit_amount: amount,
        unit_amount_decimal: String(amount),
      });
      return context.save('prices', 'price.created', price);
    },
  }),
  prices.retrieve(),
  prices.update({
    serves: ['active', 'lookup_key', 'metadata', 'nickname', 'tax_behavior', 'transfer_lookup_key'],
    run: (context, params, before) => {
      const { lookup_key: key, tax_behavior: tax = before.tax_behavior } = params;
      if (tax !== before.tax_behavior && before.tax_behavior !== 'unspecified')
        throw invalidRequestError('You cannot change tax_behavior once it is set.', { param: 'tax_behavior' });
      if (key && key !== before.lookup_key) takeLookupKey(context, key, params.transfer_lookup_key);
      return context.save('prices', 'price.updated', {
        ...before,
        active: params.active ?? before.active,
        lookup_key: key === undefined ? before.lookup_key : key || null,
        metadata: mergeMetadata(before.metadata, params.metadata),
        nickname: params.nickname === undefined ? before.nickname : params.nickname || null,
        tax_behavior: tax,
      });
    },
  }),
  prices.list({
    filters: ['active', 'created', 'currency', 'product', 'type'],
    serves: ['lookup_keys'],
    where: ({ lookup_key: key }, { lookup_keys: keys }) => !keys || (key !== null && keys.includes(key)),
  }),
];

/**
 * Removes a lookup key from the price that has it, because keys are unique. If a price has the key and the request
 * doesn't transfer it, throws Stripe's error.
 */
function takeLookupKey({ store }: Context, key: string, isTransfer = false): void {
  const holder = store.list('prices').find(({ lookup_key: held }) => held === key);
  if (!holder) return;
  if (!isTransfer)
    throw invalidRequestError(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
  store.put('prices', { ...holder, lookup_key: null });
}

function toRecurring(input: {
  interval: NonNullable<Price['recurring']>['interval'];
  interval_count?: number;
  usage_type?: NonNullable<Price['recurring']>['usage_type'];
}): Price['recurring'] {
  if (input.usage_type && input.usage_type !== 'licensed')
    throw invalidRequestError("The double doesn't serve metered prices.", { param: 'recurring[usage_type]' });
  const { interval, interval_count = 1 } = input;
  return { interval, interval_count, meter: null, trial_period_days: null, usage_type: 'licensed' };
}
