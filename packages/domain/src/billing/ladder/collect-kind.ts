import { findUnpaidRenewal, saveLadderStep } from '@uprez/db/queries/billing/ladder';
import { getInvoice, payInvoice } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import { saveFailedStep } from './save-failed-step.ts';

export type UnpaidRequest = { subscriptionId: string; invoiceId: string; day: number };
type Result = 'paid' | 'declined' | 'action_required';

const hourS = 3_600;

/** Collects an unpaid renewal. The email of the day is queued when that failed. */
export const collectKind: CallKind<UnpaidRequest> = {
  name: 'collect_unpaid',
  slot: null,
  expiresS: 20 * hourS,
  steps: [
    {
      name: 'pay',
      send: async ({ payments }, { request: { invoiceId } }, idempotencyKey) => {
        try {
          const { status } = await payInvoice(payments, { invoiceId, idempotencyKey });
          return { result: status === 'paid' ? 'paid' : 'declined' };
        } catch (error) {
          return { result: readFailure(error) };
        }
      },
      // Whether it was declined in between doesn't matter: the bill is open.
      find: async ({ payments }, call) => ((await isPaid({ payments }, call)) ? { result: 'paid' } : undefined),
      store: async (tx, { request }, { result }) => {
        const renewal = await findUnpaidRenewal(tx, request.subscriptionId);
        if (renewal?.invoiceId !== request.invoiceId) return;
        if (result === 'paid') await saveLadderStep(tx, request);
        else await saveFailedStep(tx, { ...renewal, day: request.day, needsAction: result === 'action_required' });
      },
    },
  ],
};

/** What an attempt that Stripe rejected means. Throws errors after which the call is repeated. */
function readFailure(error: unknown): Result {
  if (!(error instanceof PaymentError)) throw error;
  if (error.kind === 'action_required') return 'action_required';
  // Also without a payment method, or if the bill was paid or voided meanwhile: the next read of the customer tells.
  if (error.kind === 'card_declined' || error.kind === 'invalid_request' || error.kind === 'not_found')
    return 'declined';
  throw error;
}

const isPaid = async ({ payments }: Pick<CallContext, 'payments'>, { request }: Call<UnpaidRequest>) =>
  (await getInvoice(payments, request.invoiceId)).invoice.status === 'paid';
