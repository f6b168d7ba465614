import type Stripe from 'stripe';

/** The only API version that the double speaks: that of the SDK. The compiler compares the two. */
export const apiVersion: Stripe.LatestApiVersion = '2026-10-28.endive';
