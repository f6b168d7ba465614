export interface Decline {
  code:
    | 'authentication_required'
    | 'card_declined'
    | 'expired_card'
    | 'incorrect_cvc'
    | 'incorrect_number'
    | 'payment_intent_authentication_failure'
    | 'processing_error'
    | 'setup_intent_authentication_failure';
  declineCode?: 'authentication_required' | 'generic_decline' | 'insufficient_funds';
  message: string;
}

export interface CardBehavior {
  /** Why saving the payment method is declined, or null if it is accepted. */
  onSetup: Decline | null;
  /** Why charges to the payment method are declined, or null if they are accepted. */
  onCharge: Decline | null;
  /** Whether 3-D Secure is required never, only until the card is set up for later payments, or each time. */
  authentication: 'never' | 'until_set_up' | 'always';
}

export interface TestCard extends CardBehavior {
  number: string;
  brand: 'amex' | 'mastercard' | 'visa';
  /** Payment method IDs that create this card, such as `pm_card_visa`. */
  aliases: readonly string[];
}

export const genericDecline: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};
export const insufficientFunds: Decline = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
};
const expiredDecline: Decline = { code: 'expired_card', message: 'Your card has expired.' };
const wrongCvc: Decline = { code: 'incorrect_cvc', message: "Your card's security code is incorrect." };
const processingError: Decline = {
  code: 'processing_error',
  message: 'An error occurred while processing your card. Try again in a little bit.',
};

const makeTestCard = (
  number: string,
  fate: Partial<Omit<TestCard, 'number' | 'aliases'>> = {},
  aliases: readonly string[] = [],
): TestCard => ({ number, brand: 'visa', onSetup: null, onCharge: null, authentication: 'never', ...fate, aliases });

const toDeclinedFate = (decline: Decline) => ({ onSetup: decline, onCharge: decline });

/** Numbers and aliases from https://docs.stripe.com/testing. */
const testCards: readonly TestCard[] = [
  makeTestCard('4242424242424242', {}, ['pm_card_visa']),
  makeTestCard('5555555555554444', { brand: 'mastercard' }, ['pm_card_mastercard']),
  makeTestCard('378282246310005', { brand: 'amex' }, ['pm_card_amex']),
  makeTestCard('4000000000000002', toDeclinedFate(genericDecline), [
    'pm_card_visa_chargeDeclined',
    'pm_card_chargeDeclined',
  ]),
  makeTestCard('4000000000009995', toDeclinedFate(insufficientFunds), ['pm_card_visa_chargeDeclinedInsufficientFunds']),
  makeTestCard('4000000000000069', toDeclinedFate(expiredDecline), ['pm_card_chargeDeclinedExpiredCard']),
  makeTestCard('4000000000000127', toDeclinedFate(wrongCvc), ['pm_card_chargeDeclinedIncorrectCvc']),
  makeTestCard('4000000000000119', toDeclinedFate(processingError), ['pm_card_chargeDeclinedProcessingError']),
  makeTestCard('4000000000000341', { onCharge: genericDecline }, ['pm_card_chargeCustomerFail']),
  makeTestCard('4000002500003155', { authentication: 'until_set_up' }, ['pm_card_authenticationRequiredOnSetup']),
  makeTestCard('4000002760003184', { authentication: 'always' }, ['pm_card_authenticationRequired']),
  makeTestCard('4000008260003178', { authentication: 'until_set_up', onCharge: insufficientFunds }, [
    'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
  ]),
];

/** The number may contain spaces and hyphens. */
export const findTestCard = (numberOrAlias: string): TestCard | undefined => {
  const number = numberOrAlias.replaceAll(/[\s-]/g, '');
  return testCards.find((one) => one.number === number || one.aliases.includes(numberOrAlias));
};
