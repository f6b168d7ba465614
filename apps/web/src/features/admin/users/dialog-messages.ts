import type { Role } from '@uprez/contracts/policy/admin/permissions';
import { countImages, type Meter } from '@uprez/contracts/policy/plans/meters';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { pluralize } from '@uprez/contracts/texts/format';
import { adminMessages } from '../messages.ts';

const noRole = 'No role';
const roleName = (role: Role | null) => (role === null ? noRole : adminMessages.roles[role]);
const planNameOf = (tier: Tier) => currentPlans[tier].name;

export const dialogMessages = {
  reason: 'Reason',
  auditHint: 'Recorded in the audit log. The user can see it in their data export.',
  required: 'Enter a reason.',
  future: 'Choose a date in the future.',
  suspend: {
    action: 'Suspend',
    title: (user: string) => `Suspend ${user}`,
    description: 'Signs the user out, blocks API keys, and cancels unfinished jobs. Subscriptions continue at Stripe.',
    already: (since: string, reason: string | null) =>
      `Already suspended since ${since}${reason ? `: ${reason}` : ''}. Suspending again replaces the reason.`,
    submit: 'Suspend user',
    pending: 'Suspending...',
    done: 'User suspended',
    bulk: (count: number) => `${pluralize(count, 'user')} suspended`,
  },
  restore: {
    action: 'Restore',
    title: (user: string) => `Restore ${user}`,
    description: 'The user can sign in and use API keys again. Canceled jobs stay canceled.',
    already: 'This user is not suspended.',
    submit: 'Restore user',
    pending: 'Restoring...',
    done: 'User restored',
    bulk: (count: number) => `${pluralize(count, 'user')} restored`,
  },
  two_factor_off: {
    action: 'Turn off two-factor',
    title: (user: string) => `Turn off two-factor authentication of ${user}`,
    description: 'Verify who is asking first. The user is signed out everywhere and gets an email.',
    submit: 'Turn off',
    pending: 'Turning off...',
    done: 'Two-factor authentication turned off',
  },
  sign_out: {
    action: 'Sign out everywhere',
    title: (user: string) => `Sign out ${user} everywhere`,
    description: 'Ends all sessions of the user. API keys and passkeys keep working.',
    submit: 'Sign out everywhere',
    pending: 'Signing out...',
    done: 'Signed out everywhere',
  },
  unlock: {
    action: 'Unlock',
    title: (user: string) => `Unlock sign-in for ${user}`,
    description: "Verify the user's identity first. They can then sign in immediately.",
    submit: 'Unlock',
    pending: 'Unlocking...',
    done: 'Sign-in unlocked',
  },
  verify: {
    action: 'Resend confirmation email',
    title: (user: string) => `Resend the confirmation email to ${user}`,
    description: 'Sends a new link that confirms the email address. Earlier links stop working.',
    submit: 'Send email',
    pending: 'Sending...',
    done: 'Confirmation email queued',
  },
  role: {
    action: 'Change role',
    title: (user: string) => `Change the role of ${user}`,
    current: (role: Role | null) => `Current role: ${roleName(role)}. A role gives access to the back office.`,
    role: 'Role',
    none: noRole,
    submit: 'Change role',
    pending: 'Changing...',
    done: 'Role changed',
  },
  tier: {
    action: 'Change plan',
    title: (user: string) => `Change the plan of ${user}`,
    current: (tier: Tier, until: string | null) =>
      `Current plan: ${planNameOf(tier)}${until === null ? '' : `, set by an administrator until ${until}`}.`,
    plan: 'Plan',
    ends: 'Last day',
    endsHint: 'In UTC. Leave empty for no end date. Afterward, the user has what they pay for.',
    optional: 'optional',
    disagrees: (billed: Tier, chosen: Tier) =>
      `This user has a live subscription to ${planNameOf(billed)}. Stripe continues to bill it while ${planNameOf(chosen)} applies.`,
    removes: (billed: Tier) =>
      `Free removes a plan set by an administrator. The user has the subscription they pay for: ${planNameOf(billed)}.`,
    submit: 'Change plan',
    pending: 'Changing...',
    done: 'Plan changed',
    kept: (tier: Tier) => `The user has ${planNameOf(tier)}`,
  },
  grant: {
    action: 'Grant credits',
    title: (user: string) => `Grant credits to ${user}`,
    description: 'Adds credits to the quota of the plan. 1 image uses 1 credit.',
    units: 'Credits',
    limit: (units: number) => `Your role can grant ${pluralize(units, 'credit')} per day (UTC).`,
    meter: 'For',
    meters: { ai: 'AI images', standard: 'Standard images', shared: 'Any images' } satisfies Record<Meter, string>,
    ends: 'Last day',
    endsHint: 'In UTC. Unused credits expire at the end of this day.',
    reasonHint: 'The user sees it in their credit history.',
    submit: 'Grant credits',
    pending: 'Granting...',
    done: (units: number, meter: Meter) => `${countImages(units, meter)} granted`,
  },
} as const;
