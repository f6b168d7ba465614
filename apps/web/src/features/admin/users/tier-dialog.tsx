import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';
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
import { dayOf, endOfDay, isDayToCome } from './last-day.ts';
import { changedKeys } from './queries.ts';
import { ReasonField, reasonSchema } from './reason-dialog.tsx';

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

type Changed = Pick<AdminUser, 'subscriptionTier' | 'billedTier'>;

/** What a change did, if the user has another plan than the chosen one; undefined otherwise. */
export function describeOutcome(chosen: Omit<Values, 'reason'>, { subscriptionTier, billedTier }: Changed) {
  if (subscriptionTier === chosen.subscriptionTier) return undefined;
  return { title: text.kept(subscriptionTier), description: describeConflict(billedTier, chosen) };
}

type TierDialogProps = { user: AdminUser; name: string; chosen?: Tier | undefined; onClose: () => void };

/** Sets the plan of a user, also until a day. `name`: of the user. `chosen`: the plan that is selected first. */
export function TierDialog({ user, name, chosen = user.subscriptionTier, onClose }: TierDialogProps) {
  const { id, subscriptionTier, subscriptionEndsAt, billedTier } = user;
  const lastDay = subscriptionEndsAt === null ? '' : dayOf(subscriptionEndsAt);
  // Free with an end would replace what the user pays for. Without one, it removes the plan that an administrator set.
  const endFor = (tier: Tier, day: string) => (tier === 'free' && tier !== subscriptionTier ? '' : day);
  const change = useResourceMutation({
    call: async ({ endsAt, ...body }: Values) => {
      // An end that isn't changed keeps its time of the day.
      const kept = endsAt === lastDay ? subscriptionEndsAt : null;
      const end = endsAt === '' ? {} : { endsAt: kept ?? endOfDay(endsAt) };
      // As shown now, so that another administrator's change isn't overwritten unseen.
      const expected = { subscriptionTier, subscriptionEndsAt };
      return (await nameAuthor(adminApi.adminSetTier({ params: { id }, body: { ...body, ...end, expected } }))).data;
    },
    invalidates: changedKeys,
  });
  const form = useApiForm<Values>({
    schema,
    defaultValues: { subscriptionTier: chosen, endsAt: endFor(chosen, lastDay), reason: '' },
    send: async (values) => {
      const changed = await change.mutateAsync(values);
      showToast(describeOutcome(values, changed) ?? { title: text.done });
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
        onChange={(next) => form.change({ subscriptionTier: next, endsAt: endFor(next, endsAt || lastDay) })}
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
