import { describeDiscount } from '@uprez/contracts/texts/billing';
import { useState } from 'react';
import * as z from 'zod';
import { describeError } from '../../lib/api/api-errors.ts';
import type { UseCouponResult } from '../../lib/billing/use-coupon.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { useFocusOnMount } from '../../lib/layout/focus.ts';
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

/** `isFocused`: whether the element takes focus when it appears. */
type CodeProps = { coupon: UseCouponResult; isFocused: boolean };

function CodeForm({ coupon: { code, error, apply }, isFocused }: CodeProps) {
  const form = useApiForm({
    schema,
    defaultValues: { code: code ?? '' },
    send: ({ code: typed }) => apply(typed.trim()),
    // Typed codes don't block leaving the page, because paying leaves it.
    asksBeforeLeaving: false,
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
          autoFocus={isFocused}
          error={typedError ?? form.error ?? (error && !form.formState.isDirty ? describeError(error) : undefined)}
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

function AppliedCode({ coupon, isFocused }: CodeProps) {
  const ref = useFocusOnMount<HTMLParagraphElement>(isFocused);
  if (!coupon.offer) return null;
  return (
    <p ref={ref} tabIndex={-1} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm" role="status">
      <span className="font-medium">{text.applied(coupon.offer.code, describeDiscount(coupon.offer))}</span>
      <Button look="ghost" onClick={coupon.remove}>
        {text.remove}
      </Button>
    </p>
  );
}

/** Shows the discount of the code in the URL, or asks for a code. */
export function CouponField({ coupon }: { coupon: UseCouponResult }) {
  const [isOpen, setOpen] = useState(coupon.code !== null);
  // Whether the user has used a control in this component. If so, the element that replaces the control receives the
  // focus.
  const [isUsed, setUsed] = useState(false);
  const used: UseCouponResult = {
    ...coupon,
    apply: async (typed) => {
      await coupon.apply(typed);
      setUsed(true);
    },
    remove: () => {
      setUsed(true);
      coupon.remove();
    },
  };
  if (coupon.offer) return <AppliedCode coupon={used} isFocused={isUsed} />;
  if (isOpen || coupon.code !== null) return <CodeForm key={coupon.code} coupon={used} isFocused={isUsed} />;
  const open = () => {
    setUsed(true);
    setOpen(true);
  };
  return (
    <div>
      <Button look="ghost" className="-ml-4" onClick={open}>
        {text.open}
      </Button>
    </div>
  );
}
