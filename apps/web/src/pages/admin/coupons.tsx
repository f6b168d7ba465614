import { useQueryClient } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { couponSorts, couponStates } from '@uprez/contracts/policy/coupons';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/tables';
import type { Coupon } from '@uprez/contracts/schemas/billing/coupons';
import { describeDiscount } from '@uprez/contracts/texts/coupons';
import { Ban, List, Plus, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { adminApi } from '../../features/admin/admin-api.ts';
import { CouponDialog } from '../../features/admin/coupons/coupon-dialog.tsx';
import { lastDayOf } from '../../features/admin/coupons/last-day-of.ts';
import { couponMessages as text } from '../../features/admin/coupons/messages.ts';
import { UsesDialog } from '../../features/admin/coupons/uses-dialog.tsx';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { adminMessages } from '../../features/admin/messages.ts';
import { StatusCell, TimeCell } from '../../features/admin/payments/cells.tsx';
import type { Column } from '../../features/admin/table/column.ts';
import { DataTable } from '../../features/admin/table/data-table.tsx';
import { runBulk } from '../../features/admin/table/run-bulk.ts';
import { useTable } from '../../features/admin/table/use-table.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ActionsMenu } from '../../ui/overlays/menu.tsx';

function noteOf({ isSynced, syncError }: Coupon): string | null {
  if (syncError) return text.syncFailed;
  return isSynced ? null : text.notSynced;
}

const columns: Column<Coupon, ColumnOf<'coupons'>>[] = [
  {
    id: 'coupon',
    name: text.coupon,
    cell: ({ code, description }) => (
      <span className="grid">
        <code className="font-medium">{code}</code>
        <span className="text-muted text-xs">{description}</span>
      </span>
    ),
  },
  { id: 'discount', name: text.discount, cell: describeDiscount },
  { id: 'status', name: text.status, cell: (coupon) => <StatusCell status={coupon.state} note={noteOf(coupon)} /> },
  { id: 'uses', name: text.uses, cell: ({ uses, maxUses }) => text.usesOf(uses, maxUses), isNumeric: true },
  {
    id: 'plans',
    name: text.plans,
    cell: ({ plans: tiers }) => tiers.map((tier) => currentPlans[tier].name).join(', ') || text.allPlans,
  },
  {
    id: 'expires',
    name: text.expires,
    cell: ({ expiresAt }) => (expiresAt ? text.after(lastDayOf(expiresAt)) : text.never),
  },
  { id: 'created', name: text.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

const listKey = [adminRoutes.adminListCoupons.path] as const;

export function CouponsPage() {
  const queryClient = useQueryClient();
  const mayManage = useMay('payments.manage');
  const table = useTable({
    list: adminRoutes.adminListCoupons,
    load: adminApi.adminListCoupons,
    filters: { status: couponStates },
    sorts: couponSorts,
    columns: tableColumns.coupons,
    exports: adminRoutes.adminExportCoupons,
  });
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<Coupon>();
  const change = useResourceMutation({
    call: async ({ id, disabled }: { id: string; disabled: boolean }) =>
      (await adminApi.adminUpdateCoupon({ params: { id }, body: { disabled } })).data,
    onSuccess: ({ disabledAt }) => showToast({ title: disabledAt ? text.disabled : text.enabled }),
    errorTitle: text.changeFailed,
    invalidates: [listKey],
  });
  const bulkDisable = {
    label: text.disable,
    icon: Ban,
    run: async (coupons: readonly Coupon[]) => {
      const call = ({ id }: Coupon) => adminApi.adminUpdateCoupon({ params: { id }, body: { disabled: true } });
      const failed = await runBulk(coupons, { call, done: text.bulkDisabled });
      await queryClient.invalidateQueries({ queryKey: listKey });
      return failed;
    },
  };
  const createButton = (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {text.create}
    </Button>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={mayManage && createButton}>
      <DataTable
        caption={text.caption}
        search={text.search}
        table={table}
        columns={columns}
        empty={text.empty}
        onOpen={setShown}
        bulk={mayManage ? [bulkDisable] : undefined}
        actions={(coupon) => {
          const { id, code, disabledAt } = coupon;
          const toggle = disabledAt
            ? { label: text.enable, icon: RotateCw, onSelect: () => change.mutate({ id, disabled: false }) }
            : { label: text.disable, icon: Ban, onSelect: () => change.mutate({ id, disabled: true }) };
          const uses = { label: text.showUses, icon: List, onSelect: () => setShown(coupon) };
          return <ActionsMenu label={adminMessages.table.actions(code)} items={mayManage ? [uses, toggle] : [uses]} />;
        }}
      />
      {isCreating && <CouponDialog onClose={() => setCreating(false)} />}
      {shown && <UsesDialog coupon={shown} onClose={() => setShown(undefined)} />}
    </AdminPage>
  );
}
