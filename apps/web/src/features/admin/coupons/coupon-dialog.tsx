import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { couponDurations, couponRules, discountTypes } from '@uprez/contracts/policy/coupons';
import { tiersForSale } from '@uprez/contracts/policy/plans';
import { createCouponBodySchema, type NewCouponInput } from '@uprez/contracts/schemas/billing/coupons';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { PlanChoice } from '../../../ui/plans/plan-choice.tsx';
import { adminApi } from '../admin-api.ts';
import { couponMessages } from './messages.ts';

const text = couponMessages.dialog;
const types = discountTypes.map((value) => ({ value, label: text.types[value] }));
const durations = couponDurations.map((value) => ({ value, label: text.durations[value] }));

const asNumber = { setValueAs: (typed: string | number) => (typed === '' ? 0 : Number(typed)) };
const asOptionalNumber = {
  setValueAs: (typed: string | number | null) => (typed === '' || typed === null ? null : Number(typed)),
};
const asOptional = { setValueAs: (typed: string | null) => typed || null };

function useCouponForm(onClose: () => void) {
  const create = useResourceMutation({
    call: (body: NewCouponInput) => adminApi.adminCreateCoupon({ body }),
    invalidates: [[adminRoutes.adminListCoupons.path]],
  });
  return useApiForm<NewCouponInput>({
    schema: createCouponBodySchema,
    defaultValues: {
      ...{ code: '', discountType: 'percentage', discountValue: 10, description: '', duration: 'once' },
      ...{ durationMonths: null, plans: [], maxUses: null, perAccount: 1, expiresAt: null },
    },
    failure: text.failed,
    send: async (values) => {
      await create.mutateAsync(values);
      showToast({ title: text.done });
      onClose();
    },
  });
}

type CouponForm = ReturnType<typeof useCouponForm>;

function DiscountFields({ form }: { form: CouponForm }) {
  const [type = 'percentage', duration = 'once'] = form.watch(['discountType', 'duration']);
  const changeDuration = (next: typeof duration) =>
    form.change({ duration: next, durationMonths: next === 'months' ? 3 : null });
  return (
    <>
      <Segmented
        legend={text.type}
        options={types}
        value={type}
        onChange={(discountType) => form.change({ discountType })}
      />
      <TextField
        label={text.value[type]}
        type="number"
        step="any"
        inputMode="decimal"
        {...form.field('discountValue', asNumber)}
      />
      <Select label={text.duration} value={duration} onChange={changeDuration} options={durations} />
      {duration === 'months' && (
        <TextField
          label={text.months}
          type="number"
          inputMode="numeric"
          {...form.field('durationMonths', asOptionalNumber)}
        />
      )}
    </>
  );
}

/** Asks for the code, the discount, and the limits of a new coupon. */
export function CouponDialog({ onClose }: { onClose: () => void }) {
  const form = useCouponForm(onClose);
  return (
    <FormDialog title={text.title} description={text.text} form={form} text={text} onClose={onClose}>
      <TextField
        label={text.code}
        hint={text.codeHint}
        {...form.field('code')}
        maxLength={couponRules.codeLength.max}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        className="uppercase"
      />
      <DiscountFields form={form} />
      <TextField
        label={text.description}
        hint={text.descriptionHint}
        {...form.field('description')}
        maxLength={couponRules.descriptionLength}
        autoComplete="off"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={text.maxUses}
          optional={text.optional}
          hint={text.maxUsesHint}
          type="number"
          inputMode="numeric"
          {...form.field('maxUses', asOptionalNumber)}
        />
        <TextField label={text.perAccount} type="number" inputMode="numeric" {...form.field('perAccount', asNumber)} />
      </div>
      <TextField
        label={text.expires}
        optional={text.optional}
        hint={text.expiresHint}
        type="date"
        {...form.field('expiresAt', asOptional)}
      />
      <PlanChoice
        label={text.plans}
        hint={text.plansHint}
        tiers={tiersForSale}
        chosen={form.watch('plans') ?? []}
        onChange={(plans) => form.change({ plans })}
      />
    </FormDialog>
  );
}
