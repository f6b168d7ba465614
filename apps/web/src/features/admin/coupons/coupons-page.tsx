import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { couponDurations, couponRules, discountTypes } from '@uprez/contracts/policy/billing/coupons';
import { currentPlans, tiersForSale } from '@uprez/contracts/policy/plans/plans';
import { type Coupon, createCouponBodySchema, type NewCouponInput } from '@uprez/contracts/schemas/billing/coupons';
import { describeDiscount } from '@uprez/contracts/texts/billing';
import { formatCount, formatDay, pluralize } from '@uprez/contracts/texts/format';
import { Ban, List, Plus, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import type { useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { EmptyState, NoActivityArt } from '../../../ui/feedback/empty-state.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { PlanChoice } from '../../../ui/plans/plan-choice.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { StatusBadge, StatusCell, TimeCell } from '../payments/cells.tsx';
import { runBulk } from '../table/bulk-bar.tsx';
import { DataTable } from '../table/data-table.tsx';
import { PagedList, usePages } from '../table/paged-list.tsx';
import { type Column, useTable } from '../table/use-table.ts';

const text = {
  title: 'Coupons',
  subtitle: 'Codes that discount plans, and who used them',
  caption: 'Coupons',
  search: 'Search by code or description',
  coupon: 'Coupon',
  discount: 'Discount',
  status: 'Status',
  uses: 'Uses',
  usesOf: (uses: number, max: number | null) =>
    max === null ? formatCount(uses) : `${formatCount(uses)} of ${formatCount(max)}`,
  plans: 'Plans',
  allPlans: 'All plans',
  expires: 'Expires',
  after: (day: string) => `After ${day}`,
  never: 'Never',
  created: 'Created',
  notSynced: 'Syncing with Stripe',
  syncFailed: "Couldn't sync with Stripe. We'll try again.",
  empty: { title: 'No coupons yet', text: 'Create a coupon to discount a plan.' },
  create: 'Create Coupon',
  disable: 'Disable coupon',
  enable: 'Enable coupon',
  disabled: 'Coupon disabled',
  enabled: 'Coupon enabled',
  bulkDisabled: (count: number) => `${pluralize(count, 'coupon')} disabled`,
  changeFailed: "Couldn't change coupon",
  showUses: 'Show uses',
  usesTitle: (code: string) => `Uses of ${code}`,
  noUses: { title: 'Not used yet', text: 'Uses appear here when an account starts a purchase with this code.' },
  dialog: {
    title: 'Create Coupon',
    text: "A coupon discounts the bills of a plan. You can't change its code or discount later.",
    code: 'Code',
    codeHint: 'Letters, digits, and hyphens',
    type: 'Discount type',
    types: { percentage: 'Percentage', fixed: 'Fixed amount' },
    value: { percentage: 'Discount (%)', fixed: 'Discount (USD)' },
    description: 'Description',
    descriptionHint: "The first 40 characters appear on Stripe's invoice.",
    duration: 'Applies to',
    durations: { once: 'One bill', months: 'A number of months', forever: 'All bills' },
    months: 'Months',
    maxUses: 'Maximum uses',
    optional: 'optional',
    maxUsesHint: 'Leave empty for no limit.',
    perAccount: 'Uses per account',
    expires: 'Expires after',
    expiresHint: "Valid until the end of this day (UTC). Leave empty if it doesn't expire.",
    plans: 'Plans',
    plansHint: 'Leave all unselected for all plans.',
    submit: 'Create Coupon',
    pending: 'Creating...',
    done: 'Coupon created successfully',
    error: 'Error',
    failed: 'Failed to create coupon',
  },
} as const;

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
  const mayManage = useHasPermission('payments.manage');
  const table = useTable(tables.coupons, { load: adminApi.adminListCoupons });
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
    run: (coupons: readonly Coupon[]) => {
      const call = ({ id }: Coupon) => adminApi.adminUpdateCoupon({ params: { id }, body: { disabled: true } });
      return runBulk(coupons, { call, done: text.bulkDisabled, refreshes: [listKey] });
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
        text={text}
        table={table}
        columns={columns}
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

const dialogText = text.dialog;

const types = discountTypes.map((value) => ({ value, label: dialogText.types[value] }));

const durations = couponDurations.map((value) => ({ value, label: dialogText.durations[value] }));

const numberRules = { setValueAs: (typed: string | number) => (typed === '' ? 0 : Number(typed)) };

const optionalNumberRules = {
  setValueAs: (typed: string | number | null) => (typed === '' || typed === null ? null : Number(typed)),
};

const optionalTextRules = { setValueAs: (typed: string | null) => typed || null };

type Form = ReturnType<typeof useApiForm<NewCouponInput>>;

function DurationField({ form }: { form: Form }) {
  const change = (duration: (typeof couponDurations)[number]) =>
    form.change({ duration, durationMonths: duration === 'months' ? 3 : null });
  return (
    <Select
      label={dialogText.duration}
      value={form.watch('duration') ?? 'once'}
      onChange={change}
      options={durations}
    />
  );
}

const UsesFields = ({ form }: { form: Form }) => (
  <div className="grid gap-5 sm:grid-cols-2">
    <TextField
      label={dialogText.maxUses}
      optional={dialogText.optional}
      hint={dialogText.maxUsesHint}
      type="number"
      inputMode="numeric"
      {...form.field('maxUses', optionalNumberRules)}
    />
    <TextField
      label={dialogText.perAccount}
      type="number"
      inputMode="numeric"
      {...form.field('perAccount', numberRules)}
    />
  </div>
);

const CouponDialog = ({ onClose }: { onClose: () => void }) => (
  <FormCallDialog
    text={dialogText}
    schema={createCouponBodySchema}
    initial={{
      ...{ code: '', discountType: 'percentage', discountValue: 10, description: '', duration: 'once' },
      ...{ durationMonths: null, plans: [], maxUses: null, perAccount: 1, expiresAt: null },
    }}
    fields={(form) => [
      {
        ...{ name: 'code', label: dialogText.code, hint: dialogText.codeHint },
        ...{ maxLength: couponRules.codeLength.max, autoCapitalize: 'characters', autoComplete: 'off' },
        ...{ spellCheck: false, className: 'uppercase' },
      },
      { kind: 'segmented', name: 'discountType', label: dialogText.type, options: types },
      {
        ...{ name: 'discountValue', label: dialogText.value[form.watch('discountType') ?? 'percentage'] },
        ...{ type: 'number', step: 'any', inputMode: 'decimal', rules: numberRules },
      },
      <DurationField form={form} />,
      form.watch('duration') === 'months' && {
        ...{ name: 'durationMonths', label: dialogText.months },
        ...{ type: 'number', inputMode: 'numeric', rules: optionalNumberRules },
      },
      {
        ...{ name: 'description', label: dialogText.description, hint: dialogText.descriptionHint },
        ...{ maxLength: couponRules.descriptionLength, autoComplete: 'off' },
      },
      <UsesFields form={form} />,
      {
        ...{ name: 'expiresAt', label: dialogText.expires, optional: dialogText.optional },
        ...{ hint: dialogText.expiresHint, type: 'date', rules: optionalTextRules },
      },
      <PlanChoice
        label={dialogText.plans}
        hint={dialogText.plansHint}
        tiers={tiersForSale}
        chosen={form.watch('plans') ?? []}
        onChange={(plans) => form.change({ plans })}
      />,
    ]}
    call={(body) => adminApi.adminCreateCoupon({ body })}
    refreshes={[listKey]}
    failure={dialogText.failed}
    done={dialogText.done}
    onClose={onClose}
  />
);

function noteOf({ isSynced, syncError }: Coupon): string | null {
  if (syncError) return text.syncFailed;
  return isSynced ? null : text.notSynced;
}

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

/** Returns the last day (UTC) on which a coupon is valid, such as `Dec 31, 2026`. `expiresAt` is an exclusive bound. */
export const lastDayOf = (expiresAt: string): string => formatDay(new Date(Date.parse(expiresAt) - 1));
