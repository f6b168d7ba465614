import { grantsPerDay } from '@uprez/contracts/policy/admin/permissions';
import { limits } from '@uprez/contracts/policy/limits';
import { meters } from '@uprez/contracts/policy/plans/meters';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { describeRange, NumberField } from '../../../ui/controls/number-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { nameAuthor } from '../frame/name-author.ts';
import { useOwnUser } from '../frame/use-own-user.ts';
import { dialogMessages } from './dialog-messages.ts';
import { dayFromNow, endOfDay, isDayToCome } from './last-day.ts';
import { changedKeys } from './queries.ts';
import { ReasonDialog, ReasonField, reasonSchema } from './reason-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { TierDialog } from './tier-dialog.tsx';
import { dangerousActions, type UserAction } from './user-actions.ts';
import { nameOf } from './user-cell.tsx';

/** `tier`: the plan that is selected first. */
type UserDialogProps = { action: UserAction; user: AdminUser; tier?: Tier | undefined; onClose: () => void };

/** The dialog of an action. */
export function UserDialog({ action, user, tier, onClose }: UserDialogProps) {
  const name = nameOf(user);
  if (action === 'tier') return <TierDialog user={user} name={name} chosen={tier} onClose={onClose} />;
  if (action === 'grant') return <GrantDialog user={user} name={name} onClose={onClose} />;
  if (action === 'role') return <RoleDialog user={user} name={name} onClose={onClose} />;
  const text = dialogMessages[action];
  return (
    <ReasonDialog
      title={text.title(name)}
      description={describe(action, user)}
      text={text}
      look={dangerousActions.includes(action) ? 'danger' : 'primary'}
      send={async (reason) => {
        await send(action, user, reason);
        showToast({ title: text.done });
      }}
      onClose={onClose}
    />
  );
}

type ReasonAction = Exclude<UserAction, 'tier' | 'grant' | 'role'>;

/** The call of an action that needs only a reason. */
function send(action: ReasonAction, { id, suspendedAt }: AdminUser, reason: string) {
  const params = { id };
  switch (action) {
    case 'verify':
      return adminApi.adminResendVerification({ params, body: { reason } });
    case 'sign_out':
      return adminApi.adminEndUserSessions({ params, body: { reason } });
    case 'two_factor_off':
      return adminApi.adminRemoveTwoFactor({ params, body: { reason } });
    default: {
      const expected = suspendedAt !== null;
      return nameAuthor(
        adminApi.adminUpdateUser({ params, body: { suspended: action === 'suspend', expected, reason } }),
      );
    }
  }
}

/** What the action does, and that the user is in this state already if another administrator was faster. */
function describe(action: ReasonAction, { suspendedAt, suspendedReason }: AdminUser): string {
  const { description } = dialogMessages[action];
  if (action === 'suspend' && suspendedAt !== null)
    return `${description} ${dialogMessages.suspend.already(formatTime(suspendedAt), suspendedReason)}`;
  if (action === 'restore' && suspendedAt === null) return `${description} ${dialogMessages.restore.already}`;
  return description;
}

const text = dialogMessages.grant;

const range = { min: 1, max: limits.grantUnits };

const defaultDays = 30;

const options = meters.map((meter) => ({ value: meter, label: text.meters[meter] }));

/** `expiresAt`: the last day. */
const schema = z.object({
  units: z
    .int({ error: describeRange(range) })
    .min(range.min)
    .max(range.max),
  meter: z.enum(meters),
  expiresAt: z.string().refine((day) => isDayToCome(day), dialogMessages.future),
  reason: reasonSchema,
});

type Values = z.input<typeof schema>;

/** Grants credits to a user. `name`: of the user. */
function GrantDialog({ user: { id }, name, onClose }: { user: AdminUser; name: string; onClose: () => void }) {
  const role = useOwnUser()?.role;
  const limit = role && grantsPerDay[role];
  const grant = useResourceMutation({
    call: async ({ expiresAt, ...body }: Values) =>
      (await adminApi.adminGrantUnits({ params: { id }, body: { ...body, expiresAt: endOfDay(expiresAt) } })).data,
    invalidates: changedKeys,
  });
  const form = useApiForm<Values>({
    schema,
    defaultValues: { units: 10, meter: 'ai', expiresAt: dayFromNow(defaultDays), reason: '' },
    send: async (values) => {
      const { units, meter } = await grant.mutateAsync(values);
      showToast({ title: text.done(units, meter) });
      onClose();
    },
  });
  return (
    <FormDialog title={text.title(name)} description={text.description} form={form} text={text} onClose={onClose}>
      <NumberField
        label={text.units}
        hint={limit && text.limit(limit)}
        value={form.watch('units')}
        onChange={(units) => form.setValue('units', units as number, { shouldDirty: true })}
        error={form.errorOf('units')}
        {...range}
      />
      <Select
        label={text.meter}
        value={form.watch('meter')}
        onChange={(meter) => form.change({ meter })}
        options={options}
      />
      <TextField label={text.ends} hint={text.endsHint} type="date" {...form.field('expiresAt')} />
      <ReasonField hint={text.reasonHint} {...form.field('reason')} />
    </FormDialog>
  );
}
