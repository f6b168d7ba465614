import { ApiError } from '@uprez/client/api-error';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { currentPlans, type Tier, tiers } from '@uprez/contracts/policy/plans';
import type { AdminUser } from '@uprez/contracts/schemas/admin';
import { errorMessage, hasErrorCode, ShownError } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { adminApi } from '../admin-api.ts';
import { nameAuthor } from '../frame/name-author.ts';
import { statsKey } from '../users/queries.ts';
import { userTableMessages as text } from '../users/table-messages.ts';
import { describeConflict, describeOutcome } from '../users/tier-dialog.tsx';

/** Shows why a tier wasn't changed. The frame handles an ended session, and a canceled dialog needs no message. */
export function showTierError(error: Error): void {
  if (hasErrorCode(error, 'not_signed_in') || hasErrorCode(error, 'step_up_required')) return;
  const description = error instanceof ApiError || error instanceof ShownError ? errorMessage(error) : '';
  showToast({ ...text.failed, ...(description && { description }), destructive: true });
}

/**
 * Changes the tier of a user at once, after the password or a code. It calls `onAsk` instead if the user has another live
 * subscription, or if the present tier has an end.
 */
export function TierSelect({ user, onAsk }: { user: AdminUser; onAsk: (tier: Tier) => void }) {
  const change = useResourceMutation({
    call: async (subscriptionTier: Tier) => {
      const expected = { subscriptionTier: user.subscriptionTier, subscriptionEndsAt: user.subscriptionEndsAt };
      const body = { subscriptionTier, expected };
      return (await nameAuthor(adminApi.adminSetTier({ params: { id: user.id }, body }))).data;
    },
    onSuccess: (changed, subscriptionTier) =>
      showToast(describeOutcome({ subscriptionTier, endsAt: '' }, changed) ?? text.updated),
    onError: showTierError,
    invalidates: [[adminRoutes.adminListUsers.path], statsKey],
  });
  const choose = (tier: Tier) => {
    const conflict = describeConflict(user.billedTier, { subscriptionTier: tier, endsAt: '' });
    if (conflict || user.subscriptionEndsAt !== null) onAsk(tier);
    else change.mutate(tier);
  };
  return (
    <span className="inline-block w-40 text-left">
      <Select
        label={text.changeTier(user.email)}
        labelHidden
        value={change.isPending ? change.variables : user.subscriptionTier}
        onChange={choose}
        disabled={change.isPending}
        options={tiers.map((tier) => ({ value: tier, label: currentPlans[tier].name }))}
      />
    </span>
  );
}
