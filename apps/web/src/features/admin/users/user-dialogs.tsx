import { isRoleAbove, maxGrantsPerDay, type Role, roles } from '@uprez/contracts/policy/admin/permissions';
import { limits } from '@uprez/contracts/policy/limits';
import { meters } from '@uprez/contracts/policy/plans/meters';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans/plans';
import type { AdminUser } from '@uprez/contracts/schemas/admin/users';
import { requiredLineSchema } from '@uprez/contracts/schemas/user';
import { formatDay } from '@uprez/contracts/texts/format';
import type { ComponentProps } from 'react';
import * as z from 'zod';
import { formatDateTime } from '../../../lib/format/format.ts';
import { describeRange, NumberField } from '../../../ui/controls/number-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { useOwnUser } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { dialogMessages } from './dialog-messages.ts';
import { changedKeys } from './queries.ts';
import { dangerousActions, nameAuthor, type UserAction } from './user-actions.ts';
import { nameOf } from './user-cell.tsx';

/** All endpoints that take a reason have this length limit. */
export const reasonSchema = requiredLineSchema(dialogMessages.required).max(500);

export const reasonField = {
  name: 'reason',
  label: dialogMessages.reason,
  hint: dialogMessages.auditHint,
  autoComplete: 'off',
  'aria-required': true,
} as const;

const onlyReasonSchema = z.object({ reason: reasonSchema });
type ReasonDialogProps = Omit<
  ComponentProps<typeof FormCallDialog<{ reason: string }, unknown>>,
  'schema' | 'initial' | 'fields' | 'refreshes'
>;

export const ReasonDialog = (props: ReasonDialogProps) => (
  <FormCallDialog
    schema={onlyReasonSchema}
    initial={{ reason: '' }}
    fields={[reasonField]}
    // Refetches even after an error: another administrator may have changed the user.
    refreshes={changedKeys}
    {...props}
  />
);

/** `tier`: the initially selected plan. */
type UserDialogProps = { action: UserAction; user: AdminUser; tier?: Tier | undefined; onClose: () => void };

export function UserDialog({ action, user, tier, onClose }: UserDialogProps) {
  const name = nameOf(user);
  if (action === 'tier') return <TierDialog user={user} name={name} chosen={tier} onClose={onClose} />;
  if (action === 'grant') return <GrantDialog user={user} name={name} onClose={onClose} />;
  if (action === 'role') return <RoleDialog user={user} name={name} onClose={onClose} />;
  const text = dialogMessages[action];
  return (
    <ReasonDialog
      text={{ ...text, title: text.title(name), text: describeAction(action, user) }}
      look={dangerousActions.includes(action) ? 'danger' : 'primary'}
      call={({ reason }): Promise<unknown> => sendAction(action, user, reason)}
      done={text.done}
      onClose={onClose}
    />
  );
}

type ReasonAction = Exclude<UserAction, 'tier' | 'grant' | 'role'>;

function sendAction(action: ReasonAction, { id, suspendedAt }: AdminUser, reason: string) {
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

/** Notes if another administrator has already suspended or restored the user. */
function describeAction(action: ReasonAction, { suspendedAt, suspendedReason }: AdminUser): string {
  const { description } = dialogMessages[action];
  if (action === 'suspend' && suspendedAt !== null)
    return `${description} ${dialogMessages.suspend.already(formatDateTime(suspendedAt), suspendedReason)}`;
  if (action === 'restore' && suspendedAt === null) return `${description} ${dialogMessages.restore.already}`;
  return description;
}

type NamedProps<Changed> = { user: Changed; name: string; onClose: () => void };

const { grant: grantText, role: roleText, tier: tierText } = dialogMessages;
const grantRange = { min: 1, max: limits.grantUnits };
const defaultDays = 30;

/** `expiresAt`: the last day on which the credits are valid. */
const grantSchema = z.object({
  units: z
    .int({ error: describeRange(grantRange) })
    .min(grantRange.min)
    .max(grantRange.max),
  meter: z.enum(meters),
  expiresAt: z.string().refine((day) => isFutureDay(day), dialogMessages.future),
  reason: reasonSchema,
});

function GrantDialog({ user: { id }, name, onClose }: NamedProps<AdminUser>) {
  const role = useOwnUser()?.role;
  const limit = role && maxGrantsPerDay[role];
  return (
    <FormCallDialog
      text={{ ...grantText, title: grantText.title(name), text: grantText.description }}
      schema={grantSchema}
      initial={{ units: 10, meter: 'ai', expiresAt: dayFromNow(defaultDays), reason: '' }}
      fields={(form) => [
        <NumberField
          label={grantText.units}
          hint={limit && grantText.limit(limit)}
          value={form.watch('units')}
          onChange={(units) => form.setValue('units', units as number, { shouldDirty: true })}
          error={form.errorOf('units')}
          {...grantRange}
        />,
        {
          kind: 'select',
          name: 'meter',
          label: grantText.meter,
          options: meters.map((value) => ({ value, label: grantText.meters[value] })),
        },
        { name: 'expiresAt', label: grantText.ends, hint: grantText.endsHint, type: 'date' },
        { ...reasonField, hint: grantText.reasonHint },
      ]}
      call={async ({ expiresAt, ...body }) =>
        (await adminApi.adminGrantUnits({ params: { id }, body: { ...body, expiresAt: endOfDay(expiresAt) } })).data
      }
      refreshes={changedKeys}
      done={({ units, meter }) => grantText.done(units, meter)}
      onClose={onClose}
    />
  );
}

const roleSchema = z.object({ role: z.enum(roles).nullable(), reason: reasonSchema });

/** Offers the roles that the administrator may give. */
export function RoleDialog({ user, name, onClose }: NamedProps<Pick<AdminUser, 'id' | 'role'>>) {
  const own = useOwnUser();
  const { id, role: current } = user;
  const offered = roles.filter((role: Role) => !isRoleAbove(role, own?.role ?? null));
  return (
    <FormCallDialog
      text={{ ...roleText, title: roleText.title(name), text: roleText.current(current) }}
      schema={roleSchema}
      initial={{ role: current, reason: '' }}
      fields={[
        {
          kind: 'select',
          name: 'role',
          label: roleText.role,
          options: [
            { value: null, label: roleText.none },
            ...offered.map((role) => ({ value: role, label: adminMessages.roles[role] })),
          ],
        },
        reasonField,
      ]}
      call={(values) =>
        // Sends the displayed role as `expected`, which prevents overwriting another administrator's change unseen.
        nameAuthor(adminApi.adminSetRole({ params: { id }, body: { ...values, expected: current } }))
      }
      // Refetches even after an error: another administrator may have changed the role.
      refreshes={changedKeys}
      done={roleText.done}
      onClose={onClose}
    />
  );
}

/** `endsAt`: the last day of the plan, or empty if the plan has no end. */
const tierSchema = z.object({
  subscriptionTier: z.enum(tiers),
  endsAt: z.string().refine((day) => day === '' || isFutureDay(day), dialogMessages.future),
  reason: reasonSchema,
});
type TierChoice = Omit<z.input<typeof tierSchema>, 'reason'>;

/**
 * Describes how a plan conflicts with the user's live subscription. Returns undefined if they agree or the user has no
 * subscription.
 */
export function describeConflict(billed: Tier | null, { subscriptionTier, endsAt }: TierChoice) {
  if (billed === null) return undefined;
  if (subscriptionTier === 'free' && endsAt === '') return tierText.removes(billed);
  return subscriptionTier === billed ? undefined : tierText.disagrees(billed, subscriptionTier);
}

type ChangedTiers = Pick<AdminUser, 'subscriptionTier' | 'billedTier'>;

/** Describes the outcome if the user's plan isn't the chosen one. Otherwise returns undefined. */
export function describeOutcome(chosen: TierChoice, { subscriptionTier, billedTier }: ChangedTiers) {
  if (subscriptionTier === chosen.subscriptionTier) return undefined;
  return { title: tierText.kept(subscriptionTier), description: describeConflict(billedTier, chosen) };
}

type TierDialogProps = NamedProps<AdminUser> & { /** Initially selected plan. */ chosen?: Tier | undefined };

function TierDialog({ user, name, chosen = user.subscriptionTier, onClose }: TierDialogProps) {
  const { id, subscriptionTier, subscriptionEndsAt, billedTier } = user;
  const lastDay = subscriptionEndsAt === null ? '' : dayOf(subscriptionEndsAt);
  // Clears the end when the plan changes to Free. Free without an end removes the plan that an administrator set. With
  // an end, it would replace the user's paid plan.
  const endFor = (tier: Tier, day: string) => (tier === 'free' && tier !== subscriptionTier ? '' : day);
  const current = tierText.current(subscriptionTier, subscriptionEndsAt && formatDay(subscriptionEndsAt));
  return (
    <FormCallDialog
      text={{ ...tierText, title: tierText.title(name), text: current }}
      schema={tierSchema}
      initial={{ subscriptionTier: chosen, endsAt: endFor(chosen, lastDay), reason: '' }}
      fields={(form) => {
        const [tier, endsAt] = form.watch(['subscriptionTier', 'endsAt']);
        const conflict = describeConflict(billedTier, { subscriptionTier: tier, endsAt });
        return [
          <Select
            label={tierText.plan}
            value={tier}
            onChange={(next) => form.change({ subscriptionTier: next, endsAt: endFor(next, endsAt || lastDay) })}
            options={tiers.map((value) => ({ value, label: currentPlans[value].name }))}
          />,
          { name: 'endsAt', label: tierText.ends, optional: tierText.optional, hint: tierText.endsHint, type: 'date' },
          conflict ? <Notice kind="warning">{conflict}</Notice> : undefined,
          reasonField,
        ];
      }}
      call={async ({ endsAt, ...body }) => {
        // Keeps the time of day if the last day is unchanged.
        const kept = endsAt === lastDay ? subscriptionEndsAt : null;
        const end = endsAt === '' ? {} : { endsAt: kept ?? endOfDay(endsAt) };
        // Sends the displayed plan as `expected`, which prevents overwriting another administrator's change unseen.
        const expected = { subscriptionTier, subscriptionEndsAt };
        return (await nameAuthor(adminApi.adminSetTier({ params: { id }, body: { ...body, ...end, expected } }))).data;
      }}
      refreshes={changedKeys}
      done={(changed, values) => describeOutcome(values, changed) ?? tierText.done}
      onClose={onClose}
    />
  );
}

/** Returns the end of a day in UTC: `2026-11-24` -> `2026-11-24T23:59:59.999Z`. */
export const endOfDay = (day: string): string => `${day}T23:59:59.999Z`;

/** Whether a day in UTC hasn't ended. Returns false for strings that aren't days. */
export const isFutureDay = (day: string, now = Date.now()): boolean => Date.parse(endOfDay(day)) > now;

/** Returns the day of a time in UTC, such as `2026-11-24`. */
export const dayOf = (time: string | number): string => new Date(time).toISOString().slice(0, 10);

/** Returns the day in UTC that is `days` days from now. */
export const dayFromNow = (days: number, now = Date.now()): string => dayOf(now + days * 86_400_000);
