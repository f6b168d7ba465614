/** Texts around an order: the address that its tax depends on, and the plan that the account already has. */
export const orderMessages = {
  address: {
    title: 'Billing address',
    reason: 'We use your address to calculate tax.',
    country: 'Country or region',
    postalCode: 'Postal code',
    optional: 'optional',
    submit: 'Continue',
    used: (country: string, postalCode: string) => `Tax for ${country}${postalCode && `, ${postalCode}`}`,
    change: 'Change address',
  },
  owned: {
    title: (plan: string) => `You have ${plan}`,
    sentence: (plan: string) => `You have ${plan}.`,
    text: (price: string) => `Your plan is active (${price}). There is nothing to pay here.`,
    dashboard: 'Go to dashboard',
    manage: 'Manage billing',
  },
} as const;
