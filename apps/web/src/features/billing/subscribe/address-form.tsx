import { countries, needsPostalCode } from '@uprez/contracts/policy/countries';
import { type BillingAddress, billingAddressSchema } from '@uprez/contracts/schemas/billing/billing';
import { useMemo } from 'react';
import type * as z from 'zod';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Field, inputStyle } from '../../../ui/controls/field.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { countryName, guessCountry } from './country-names.ts';
import { orderMessages } from './order-messages.ts';

const text = orderMessages.address;

type AddressFormProps = {
  /** What was entered before. */
  address: BillingAddress | null;
  /** Why it can't be used. */
  error: string | undefined;
  onSubmit: (address: BillingAddress) => void;
};

/** Asks where the buyer lives, which decides the tax. */
export function AddressForm({ address, error, onSubmit }: AddressFormProps) {
  const form = useApiForm<z.input<typeof billingAddressSchema>>({
    schema: billingAddressSchema,
    defaultValues: address ?? { country: guessCountry(navigator.language), postalCode: '' },
    send: async ({ country, postalCode = '' }) => onSubmit({ country, postalCode: postalCode.trim() }),
  });
  const options = useMemo(
    () => countries.map((code) => [code, countryName(code)] as const).toSorted(([, a], [, b]) => a.localeCompare(b)),
    [],
  );
  const { error: countryError, ...country } = form.field('country');
  return (
    <Card title={text.title} className="w-full max-w-md">
      <p className="text-muted text-sm">{text.reason}</p>
      <form aria-label={text.title} onSubmit={form.submit} noValidate className="grid gap-5">
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
        <TextField
          label={text.postalCode}
          {...(!needsPostalCode(form.watch('country')) && { optional: text.optional })}
          {...form.field('postalCode')}
          autoComplete="postal-code"
          autoCapitalize="characters"
          spellCheck={false}
        />
        {error !== undefined && <Notice kind="danger">{error}</Notice>}
        <Button type="submit">{text.submit}</Button>
      </form>
    </Card>
  );
}
