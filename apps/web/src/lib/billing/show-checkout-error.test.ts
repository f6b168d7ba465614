import { ApiError } from '@uprez/client/api-error';
import { beforeEach, expect, it } from 'vitest';
import { useToasts } from '../notifications/toast-store.ts';
import { showCheckoutError } from './show-checkout-error.ts';

const shown = () => useToasts.getState().toasts.map(({ title, description }) => [title, description]);
beforeEach(() => useToasts.setState({ toasts: [] }));

it('shows "Checkout Error" with the message of the server', () => {
  showCheckoutError(new ApiError({ status: 404, code: 'price_not_found' }, "This plan isn't available."));
  expect(shown()).toEqual([['Checkout Error', "This plan isn't available."]]);
});

it('shows "Failed to create checkout session" without a message', () => {
  showCheckoutError(new TypeError('Failed to fetch'));
  expect(shown()).toEqual([['Checkout Error', 'Failed to create checkout session']]);
});

it('leaves an ended session to the page', () => {
  showCheckoutError(new ApiError({ status: 401, code: 'not_signed_in' }, 'Unauthorized: sign in to continue.'));
  expect(shown()).toEqual([]);
});
