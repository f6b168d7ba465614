/** Texts around an order: the address that its tax depends on, and the plan that the account already has. */
export const orderMessages = {
  address: {
    title: 'Billing address',
    reason: 'We use your address to calculate tax.',
    invoiceReason: 'This is printed on your invoices.',
    company: 'Company',
    street: 'Street and number',
    city: 'City',
    taxId: 'Tax ID',
    taxIdHint: 'Such as your VAT number.',
    country: 'Country or region',
    postalCode: 'Postal code',
    optional: 'optional',
    submit: 'Continue',
    used: (country: string, postalCode: string) => `Tax for ${country}${postalCode && `, ${postalCode}`}`,
    invoiced: (name: string) => `Invoice to ${name}`,
    change: 'Change address',
    add: 'Add company details',
    back: 'Back',
  },
  owned: {
    title: (plan: string) => `You have ${plan}`,
    sentence: (plan: string) => `You have ${plan}.`,
    text: (price: string) => `Your plan is active (${price}). You have nothing to pay.`,
    dashboard: 'Go to dashboard',
    manage: 'Manage billing',
  },
} as const;
