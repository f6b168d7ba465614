import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import type { AdminUser } from '@uprez/contracts/schemas/admin';
import { formatDay } from '@uprez/contracts/texts/format';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { nameAuthor } from '../frame/name-author.ts';
import { dialogMessages } from './dialog-messages.ts';
import { endOfDay, isDayToCome } from './last-day.ts';
import { changedKeys } from './queries.ts';
import { ReasonField, reasonSchema } from './reason-field.tsx';

const text = dialogMessages.tier;
const options = tiers.map((tier) => ({ value: tier, label: currentPlans[tier].name }));

/** `endsAt`: the last day; empty without an end. */
const schema = z.object({
  subscriptionTier: z.enum(tiers),
  endsAt: z.string().refine((day) => day === '' || isDayToCome(day), dialogMessages.future),
  reason: reasonSchema,
});
type Values = z.input<typeof schema>;

/** What a plan means for the live subscription of the user; undefined if they agree. */
export function describeConflict(billed: Tier | null, { subscriptionTier, endsAt }: Omit<Values, 'reason'>) {
  if (billed === null) return undefined;
  if (subscriptionTier === 'free' && endsAt === '') return text.removes(billed);
  return subscriptionTier === billed ? undefined : text.disagrees(billed, subscriptionTier);
}

/** Sets the plan of a user, also until a day. `name`: of the user. */
export function TierDialog({ user, name, onClose }: { user: AdminUser; name: string; onClose: () => void }) {
  const { id, subscriptionTier, subscriptionEndsAt, billedTier } = user;
  const change = useResourceMutation({
    call: async ({ endsAt, ...body }: Values) => {
      const end = endsAt === '' ? {} : { endsAt: endOfDay(endsAt) };
      // As shown now, so that another administrator's change isn't overwritten unseen.
      const expected = { subscriptionTier, subscriptionEndsAt };
      return (await nameAuthor(adminApi.adminSetTier({ params: { id }, body: { ...body, ...end, expected } }))).data;
    },
    invalidates: changedKeys,
  });
  const form = useApiForm<Values>({
    schema,
    defaultValues: { subscriptionTier, endsAt: '', reason: '' },
    send: async (values) => {
      await change.mutateAsync(values);
      showToast({ title: text.done });
      onClose();
    },
  });
  const [tier, endsAt] = form.watch(['subscriptionTier', 'endsAt']);
  const conflict = describeConflict(billedTier, { subscriptionTier: tier, endsAt });
  return (
    <FormDialog
      title={text.title(name)}
      description={text.current(subscriptionTier, subscriptionEndsAt && formatDay(subscriptionEndsAt))}
      form={form}
      text={text}
      onClose={onClose}
    >
      <Select
        label={text.plan}
        value={tier}
        onChange={(chosen) => form.change({ subscriptionTier: chosen })}
        options={options}
      />
      <TextField
        label={text.ends}
        optional={text.optional}
        hint={text.endsHint}
        type="date"
        {...form.field('endsAt')}
      />
      {conflict && <Notice kind="warning">{conflict}</Notice>}
      <ReasonField {...form.field('reason')} />
    </FormDialog>
  );
}
