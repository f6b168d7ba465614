import { countries, needsPostalCode } from '@uprez/contracts/policy/billing/countries';
import { type BillingAddress, billingAddressSchema } from '@uprez/contracts/schemas/billing/billing-address';
import { useMemo } from 'react';
import type * as z from 'zod';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field, inputStyle } from '../../../ui/controls/field.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { orderMessages } from './order-messages.ts';

const text = orderMessages.address;

type AddressFormProps = {
  address: BillingAddress | null;
  error: string | undefined;
  /** Whether the address determines the tax. */
  isTaxed: boolean;
  onSubmit: (address: BillingAddress) => void;
  /** Undefined if the order requires an address. */
  onBack?: (() => void) | undefined;
};

const autoCompletes = {
  company: 'organization',
  street: 'street-address',
  city: 'address-level2',
  taxId: 'off',
} as const;
type OptionalAddressField = keyof typeof autoCompletes;
const details = Object.keys(autoCompletes) as OptionalAddressField[];

function toAddress({ country, postalCode = '', ...rest }: z.input<typeof billingAddressSchema>): BillingAddress {
  const entered = details.flatMap((name) => {
    const value = rest[name]?.trim();
    return value ? [[name, value] as const] : [];
  });
  return { country, postalCode: postalCode.trim(), ...Object.fromEntries(entered) };
}

export function AddressForm({ address, error, isTaxed, onSubmit, onBack }: AddressFormProps) {
  const form = useApiForm<z.input<typeof billingAddressSchema>>({
    schema: billingAddressSchema,
    defaultValues: address ?? { country: guessCountry(navigator.language), postalCode: '' },
    send: async (typed) => onSubmit(toAddress(typed)),
  });
  const options = useMemo(
    () => countries.map((code) => [code, countryName(code)] as const).toSorted(([, a], [, b]) => a.localeCompare(b)),
    [],
  );
  const { error: countryError, ...country } = form.field('country');
  const detail = (name: OptionalAddressField) => (
    <TextField
      label={text[name]}
      optional={text.optional}
      {...(name === 'taxId' && { hint: text.taxIdHint })}
      {...form.field(name)}
      autoComplete={autoCompletes[name]}
    />
  );
  return (
    <Card title={text.title} className="w-full max-w-md">
      <p className="text-muted text-sm">{isTaxed ? `${text.reason} ${text.invoiceReason}` : text.invoiceReason}</p>
      <form aria-label={text.title} onSubmit={form.submit} noValidate className="grid gap-5">
        {detail('company')}
        {detail('street')}
        <TextField
          label={text.postalCode}
          {...(!needsPostalCode(form.watch('country')) && { optional: text.optional })}
          {...form.field('postalCode')}
          autoComplete="postal-code"
          autoCapitalize="characters"
          spellCheck={false}
        />
        {detail('city')}
        <Field label={text.country} error={countryError}>
          {(ties) => (
            <select {...ties} {...country} autoComplete="country" className={inputStyle}>
              {options.map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        {detail('taxId')}
        {error !== undefined && <Notice kind="danger">{error}</Notice>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit">{text.submit}</Button>
          {onBack && (
            <Button look="secondary" onClick={onBack}>
              {text.back}
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}

const names = new Intl.DisplayNames('en-US', { type: 'region' });

export const countryName = (code: string): string => names.of(code) ?? code;

/** Returns the most likely country for a language such as `de-CH`. Returns the United States if none is found. */
export function guessCountry(language: string): string {
  const { region = '' } = new Intl.Locale(language).maximize();
  return countries.includes(region) ? region : 'US';
}
