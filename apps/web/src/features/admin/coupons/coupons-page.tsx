import { useQueryClient } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type ColumnOf, tableColumns } from '@uprez/contracts/policy/admin/tables';
import {
  couponDurations,
  couponRules,
  couponSorts,
  couponStates,
  discountTypes,
} from '@uprez/contracts/policy/billing/coupons';
import { currentPlans, tiersForSale } from '@uprez/contracts/policy/plans/plans';
import { type Coupon, createCouponBodySchema, type NewCouponInput } from '@uprez/contracts/schemas/billing/coupons';
import { describeDiscount } from '@uprez/contracts/texts/coupons';
import { Ban, List, Plus, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { EmptyState, NoActivityArt } from '../../../ui/feedback/empty-state.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { PlanChoice } from '../../../ui/plans/plan-choice.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useMay } from '../frame/use-may.ts';
import { adminMessages } from '../messages.ts';
import { StatusBadge, StatusCell, TimeCell } from '../payments/cells.tsx';
import type { Column } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { PagedList } from '../table/paged-list.tsx';
import { runBulk } from '../table/run-bulk.ts';
import { usePages } from '../table/use-pages.ts';
import { useTable } from '../table/use-table.ts';
import { lastDayOf } from './last-day-of.ts';
import { couponMessages, couponMessages as text } from './messages.ts';

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

const dialogText = couponMessages.dialog;

const types = discountTypes.map((value) => ({ value, label: dialogText.types[value] }));

const durations = couponDurations.map((value) => ({ value, label: dialogText.durations[value] }));

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
    failure: dialogText.failed,
    send: async (values) => {
      await create.mutateAsync(values);
      showToast({ title: dialogText.done });
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
        legend={dialogText.type}
        options={types}
        value={type}
        onChange={(discountType) => form.change({ discountType })}
      />
      <TextField
        label={dialogText.value[type]}
        type="number"
        step="any"
        inputMode="decimal"
        {...form.field('discountValue', asNumber)}
      />
      <Select label={dialogText.duration} value={duration} onChange={changeDuration} options={durations} />
      {duration === 'months' && (
        <TextField
          label={dialogText.months}
          type="number"
          inputMode="numeric"
          {...form.field('durationMonths', asOptionalNumber)}
        />
      )}
    </>
  );
}

/** Asks for the code, the discount, and the limits of a new coupon. */
function CouponDialog({ onClose }: { onClose: () => void }) {
  const form = useCouponForm(onClose);
  return (
    <FormDialog title={dialogText.title} description={dialogText.text} form={form} text={dialogText} onClose={onClose}>
      <TextField
        label={dialogText.code}
        hint={dialogText.codeHint}
        {...form.field('code')}
        maxLength={couponRules.codeLength.max}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        className="uppercase"
      />
      <DiscountFields form={form} />
      <TextField
        label={dialogText.description}
        hint={dialogText.descriptionHint}
        {...form.field('description')}
        maxLength={couponRules.descriptionLength}
        autoComplete="off"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={dialogText.maxUses}
          optional={dialogText.optional}
          hint={dialogText.maxUsesHint}
          type="number"
          inputMode="numeric"
          {...form.field('maxUses', asOptionalNumber)}
        />
        <TextField
          label={dialogText.perAccount}
          type="number"
          inputMode="numeric"
          {...form.field('perAccount', asNumber)}
        />
      </div>
      <TextField
        label={dialogText.expires}
        optional={dialogText.optional}
        hint={dialogText.expiresHint}
        type="date"
        {...form.field('expiresAt', asOptional)}
      />
      <PlanChoice
        label={dialogText.plans}
        hint={dialogText.plansHint}
        tiers={tiersForSale}
        chosen={form.watch('plans') ?? []}
        onChange={(plans) => form.change({ plans })}
      />
    </FormDialog>
  );
}

function noteOf({ isSynced, syncError }: Coupon): string | null {
  if (syncError) return text.syncFailed;
  return isSynced ? null : text.notSynced;
}

/** The uses of a coupon, newest first. */
function UsesDialog({ coupon: { id, code }, onClose }: { coupon: Coupon; onClose: () => void }) {
  const params = { id };
  const query = usePages([adminRoutes.adminListRedemptions.path, id], (request) =>
    adminApi.adminListRedemptions({ params, ...request }),
  );
  const empty = <EmptyState {...text.noUses} illustration={<NoActivityArt />} />;
  return (
    <Dialog open onOpenChange={onClose} title={text.usesTitle(code)}>
      <PagedList query={query} exports={adminRoutes.adminExportRedemptions} params={params} empty={empty}>
        {(rows) => (
          <ul className="grid divide-y divide-line">
            {rows.map((row) => (
              <li key={row.id} className="flex flex-wrap items-center justify-between gap-2 py-2.5 text-sm">
                <span className="min-w-0 wrap-anywhere">{row.email ?? adminMessages.table.noAccount}</span>
                <span className="flex items-center gap-3">
                  <TimeCell at={row.redeemedAt ?? row.releasedAt ?? row.reservedAt} />
                  <StatusBadge status={row.state} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </Dialog>
  );
}
