import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { AdminSubscription } from '@uprez/contracts/schemas/billing/admin-payments';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { Ban, CreditCard, ReceiptText, RotateCw } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { searchName } from '../../../ui/controls/search-field.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { useMay } from '../frame/use-may.ts';
import { userPath } from '../frame/user-path.ts';
import { adminMessages } from '../messages.ts';
import { paymentMessages } from './messages.ts';

const text = paymentMessages.subscriptions;
const invalidates = [[adminRoutes.adminListSubscriptions.path], [adminRoutes.adminListTransactions.path]];

/** The payments on the page of a customer. Those of a deleted account are found by Stripe's ID. */
export const paymentsOf = ({ account, customerId }: Pick<AdminSubscription, 'account' | 'customerId'>): string =>
  account === null
    ? `${adminPages.transactions}?${new URLSearchParams({ [searchName]: customerId })}`
    : `${userPath(account.id)}?tab=payments`;

/** What can be done with a subscription. Stripe has nothing to change for deleted accounts. */
export function SubscriptionMenu({ row, onCancel }: { row: AdminSubscription; onCancel: () => void }) {
  const navigate = useNavigate();
  const mayManage = useMay('payments.manage');
  const { id, account, unpaid, badge } = row;
  const retry = useResourceMutation({
    call: async () => (await adminApi.adminRetryInvoice({ params: { id } })).data,
    onSuccess: () => showToast({ title: text.retried }),
    errorTitle: text.retryFailed,
    invalidates,
  });
  const resync = useResourceMutation({
    call: async (accountId: string) => (await adminApi.adminResyncAccount({ params: { id: accountId } })).data,
    onSuccess: () => showToast({ title: text.resyncDone }),
    errorTitle: text.resyncFailed,
    invalidates,
  });
  const isOver = badge === 'canceled' || account === null;
  const show = { label: text.payments, icon: ReceiptText, onSelect: () => void navigate(paymentsOf(row)) };
  const changes = [
    {
      label: text.retry,
      icon: CreditCard,
      disabled: !(account && unpaid) || retry.isPending,
      onSelect: () => retry.mutate(),
    },
    {
      label: text.resync,
      icon: RotateCw,
      disabled: account === null || resync.isPending,
      onSelect: () => account && resync.mutate(account.id),
    },
    { label: text.cancel, icon: Ban, danger: true, disabled: isOver, onSelect: onCancel },
  ];
  return (
    <ActionsMenu
      label={adminMessages.table.actions(account?.email ?? id)}
      items={mayManage ? [show, ...changes] : [show]}
    />
  );
}
