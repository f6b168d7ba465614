import * as z from 'zod';
import { countries, needsPostalCode } from '../../policy/billing/countries.ts';
import { lineSchema } from '../user.ts';

const detailSchema = lineSchema.max(100).optional();
/** Location for tax, and company details for invoices. Countries are ISO 3166-1 codes. */
export const billingAddressSchema = z
  .strictObject({
    country: z.string().refine((code) => countries.includes(code), 'Select a country.'),
    postalCode: lineSchema.max(20).default(''),
    company: detailSchema,
    street: detailSchema,
    city: detailSchema,
    /** The maximum is Stripe's limit for custom fields on invoices. */
    taxId: lineSchema.max(30).optional(),
  })
  .refine(({ country, postalCode }) => postalCode !== '' || !needsPostalCode(country), {
    path: ['postalCode'],
    error: 'Enter your postal code.',
  });
export type BillingAddress = z.output<typeof billingAddressSchema>;
