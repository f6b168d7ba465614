import { useQuery } from '@tanstack/react-query';
import { openStripe } from './open-stripe.ts';

/** Stripe.js, loaded while `enabled`. */
export const useStripeLoader = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({ queryKey: ['stripe'], queryFn: openStripe, enabled, networkMode: 'always' });
