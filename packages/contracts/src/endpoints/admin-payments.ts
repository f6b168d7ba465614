import * as z from 'zod';
import {
  adminStripeEventSchema,
  adminSubscriptionSchema,
  adminSubscriptionsExportSchema,
  adminSubscriptionsQuerySchema,
  paymentHealthSchema,
  stripeEventsQuerySchema,
} from '../schemas/admin-payments.ts';
import { bytes, defineEndpoints, idParams } from './endpoint.ts';

/** Administration of billing. */
export const adminPaymentEndpoints = defineEndpoints('admin', {
  adminListSubscriptions: { query: adminSubscriptionsQuerySchema, answers: { 200: z.array(adminSubscriptionSchema) } },
  adminExportSubscriptions: {
    query: adminSubscriptionsExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
  },
  adminListStripeEvents: { query: stripeEventsQuerySchema, answers: { 200: z.array(adminStripeEventSchema) } },
  adminRetryStripeEvent: {
    params: idParams,
    answers: { 200: adminStripeEventSchema },
    errors: ['stripe_event_not_found'],
  },
  adminPaymentHealth: { answers: { 200: paymentHealthSchema } },
});
