import { describeDiscount } from '@uprez/contracts/texts/coupons';
import { useState } from 'react';
import * as z from 'zod';
import { errorMessage } from '../../lib/api/api-errors.ts';
import type { UsedCoupon } from '../../lib/billing/use-coupon.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { Button } from '../controls/button.tsx';
import { TextField } from '../controls/text-field.tsx';

const text = {
  open: 'Add a promo code',
  label: 'Promo code',
  missing: 'Enter a code.',
  apply: 'Apply',
  remove: 'Remove code',
  applied: (code: string, discount: string) => `${code}: ${discount}`,
};
const schema = z.object({ code: z.string().trim().min(1, text.missing) });

function CodeForm({ coupon: { code, error, apply } }: { coupon: UsedCoupon }) {
  const form = useApiForm({
    schema,
    defaultValues: { code: code ?? '' },
    send: ({ code: typed }) => apply(typed.trim()),
  });
  const { error: typedError, ...field } = form.field('code');
  return (
    <form onSubmit={form.submit} noValidate className="flex max-w-sm items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={text.label}
          labelHidden
          placeholder={text.label}
          {...field}
          error={typedError ?? form.error ?? (error && !form.formState.isDirty ? errorMessage(error) : undefined)}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <Button type="submit" look="secondary" pending={form.isSubmitting}>
        {text.apply}
      </Button>
    </form>
  );
}

/** Shows what the code in the URL gives, or asks for one. */
export function CouponField({ coupon }: { coupon: UsedCoupon }) {
  const [isOpen, setOpen] = useState(coupon.code !== null);
  if (coupon.offer)
    return (
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm" role="status">
        <span className="font-medium">{text.applied(coupon.offer.code, describeDiscount(coupon.offer))}</span>
        <Button look="ghost" onClick={coupon.remove}>
          {text.remove}
        </Button>
      </p>
    );
  if (isOpen || coupon.code !== null) return <CodeForm key={coupon.code} coupon={coupon} />;
  return (
    <div>
      <Button look="ghost" className="-ml-4" onClick={() => setOpen(true)}>
        {text.open}
      </Button>
    </div>
  );
}
