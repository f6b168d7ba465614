import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { cardError } from '../payments/card-outcomes.ts';
import { isPaypalOn } from '../payments/method-settings.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { type CardBehavior, type Decline, findTestCard } from './test-cards.ts';

interface CardInput {
  /** Card number, or an alias of a test card. */
  number: string;
  exp_month?: number | undefined;
  exp_year?: number | undefined;
}

/** Creates a payment method for a test card. Rejects other card numbers, as in Stripe's test mode. */
export function createCard(
  context: Context,
  { number, exp_month = 12, exp_year }: CardInput,
): Tables['paymentMethods'] {
  const card = findTestCard(number);
  if (!card) throw cardError(invalidNumberDecline);
  const thisYear = new Date(context.now() * 1_000).getUTCFullYear();
  const { brand, onSetup, onCharge, authentication } = card;
  const fields: MethodFields = {
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month,
      exp_year: exp_year ?? thisYear + 3,
      fingerprint: createHash('sha256').update(card.number).digest('hex').slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    type: 'card',
  };
  return storeMethod(context, fields, { onSetup, onCharge, authentication });
}

type MethodFields = Pick<Tables['paymentMethods'], 'card' | 'paypal' | 'type'>;

function storeMethod(context: Context, fields: MethodFields, behavior: CardBehavior): Tables['paymentMethods'] {
  const method = fillNulls('PaymentMethod', {
    id: makeId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    created: context.now(),
    livemode: false,
    metadata: {},
    ...fields,
  });
  context.store.put('cardFates', { id: method.id, ...behavior });
  return context.store.put('paymentMethods', method);
}

const invalidNumberDecline: Decline = { code: 'incorrect_number', message: 'Your card number is incorrect.' };

/** Customers must authorize each payment on PayPal's page until the payment method is set up for later payments. */
export function createPaypal(context: Context): Tables['paymentMethods'] {
  if (!isPaypalOn(context))
    throw invalidRequestError(
      'The payment method type `paypal` is invalid. Please ensure the provided type is activated.',
      {
        param: 'type',
      },
    );
  const paypal = { country: 'US', payer_email: 'payer@example.test', payer_id: 'LOCAL-PAYER' };
  const behavior = { onSetup: null, onCharge: null, authentication: 'until_set_up' } as const;
  return storeMethod(context, { paypal, type: 'paypal' }, behavior);
}
