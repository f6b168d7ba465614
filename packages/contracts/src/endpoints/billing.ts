import * as z from 'zod';
import { defineEndpoints } from './endpoint.ts';

/** What Stripe calls. Its signature covers the body, so the endpoint reads the bytes itself. */
export const billingEndpoints = defineEndpoints('none', {
  stripeWebhook: {
    answers: { 200: z.object({ received: z.literal(true) }) },
    errors: ['bad_signature', 'malformed_body', 'file_too_large', 'not_found'],
  },
});
