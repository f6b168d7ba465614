import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type ColumnOf, tables } from '@uprez/contracts/policy/admin/tables';
import { type AdminTransaction, refundBodySchema } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatCard, formatMethod } from '@uprez/contracts/texts/billing';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { FormCallDialog } from '../../../ui/overlays/call-dialog.tsx';
import { ActionsMenu } from '../../../ui/overlays/menu.tsx';
import { adminApi } from '../admin-api.ts';
import { AdminPage } from '../frame/admin-page.tsx';
import { useHasPermission, useOwnUser } from '../frame/use-own-user.ts';
import { adminMessages } from '../messages.ts';
import { ChosenFilters } from '../table/chosen-filters.tsx';
import { DataTable } from '../table/data-table.tsx';
import { type Column, useTable } from '../table/use-table.ts';
import { AccountCell, StatusCell, TimeCell } from './cells.tsx';
import { describeUnits, noteOfTransaction } from './describe-payment.ts';
import { paymentMessages } from './messages.ts';
import { noteField } from './note-field.ts';
import { parseCents } from './parse-cents.ts';

const { transactions: text, ...shared } = paymentMessages;

const columns: Column<AdminTransaction, ColumnOf<'transactions'>>[] = [
  {
    id: 'account',
    name: shared.account,
    cell: ({ account, customerId }) => <AccountCell account={account} id={customerId} />,
  },
  { id: 'status', name: shared.status, cell: (row) => <StatusCell status={row.badge} note={noteOfTransaction(row)} /> },
  { id: 'amount', name: shared.amount, cell: (row) => <AmountCell {...row} />, sort: 'amount', isNumeric: true },
  {
    id: 'invoice',
    name: text.invoice,
    cell: (row) => <InvoiceCell {...row} />,
  },
  {
    id: 'method',
    name: text.method,
    cell: (row) => <span className="text-muted text-xs">{formatPaymentMethod(row)}</span>,
  },
  { id: 'created', name: shared.created, cell: ({ createdAt }) => <TimeCell at={createdAt} />, sort: 'created' },
];

export function TransactionsPage() {
  const mayManage = useHasPermission('payments.manage');
  const table = useTable(tables.transactions, {
    load: adminApi.adminListTransactions,
    values: ['from', 'to'],
  });
  const [asked, setAsked] = useState<string>();
  // Reads the payment from the current list, because it may have been refunded elsewhere since the dialog was opened.
  const payment = table.query.data?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === asked);
  const ownId = useOwnUser()?.id;
  const menuOf = ({ id, account, refundable }: AdminTransaction) => {
    const block = findRefundBlock({ account, refundable }, ownId);
    const label = block ?? text.refund;
    const refund = { label, icon: Undo2, disabled: block !== undefined, onSelect: () => setAsked(id) };
    return <ActionsMenu label={adminMessages.table.actions(account?.email ?? id)} items={[refund]} />;
  };
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <DataTable
        text={text}
        table={table}
        filters={<ChosenFilters table={table} days={text.days} />}
        columns={columns}
        actions={mayManage ? menuOf : undefined}
      />
      {payment && <RefundDialog payment={payment} onClose={() => setAsked(undefined)} />}
    </AdminPage>
  );
}

const refundText = paymentMessages.refund;

const kinds = ['full', 'partial'] as const;

const kindOptions = kinds.map((value) => ({ value, label: refundText.kinds[value] }));

const noteSchema = refundBodySchema.pick({ note: true });

/** `typed`: the amount of a partial refund, in dollars. */
const fullSchema = noteSchema.extend({ typed: z.string() });

const partialSchema = (rest: number, message: string) =>
  noteSchema.extend({
    typed: z.string().refine((typed) => {
      const cents = parseCents(typed);
      return cents !== undefined && cents >= 1 && cents <= rest;
    }, message),
  });

type RefundDialogProps = { payment: AdminTransaction; onClose: () => void };

type Subscription = NonNullable<AdminTransaction['subscription']>;

/** Describes what happens to the subscription if the payment for its current period is refunded. */
function describeSubscription({ renewsAt }: Subscription, kind: (typeof kinds)[number], cancels: boolean): string {
  if (cancels) return refundText.canceled;
  const next = renewsAt ? refundText.renews(formatDay(renewsAt)) : refundText.renewsNever;
  return kind === 'full' ? `${refundText.planEnds} ${next}` : `${refundText.planStays} ${next}`;
}

function RefundDialog({ payment, onClose }: RefundDialogProps) {
  const { id, account, refundable, refunded, currency, subscription } = payment;
  const [kind, setKind] = useState<(typeof kinds)[number]>('full');
  const [chosen, setChosen] = useState<boolean>();
  // By default, a full refund also cancels the subscription: it ends the plan, so usually nothing more should be
  // billed.
  const cancels = subscription !== null && (chosen ?? kind === 'full');
  const money = (amount: number) => formatMoney({ amount, currency });
  const rest = money(refundable);
  const centsOf = (typed: string) => (kind === 'full' ? refundable : (parseCents(typed) ?? 0));
  const submitOf = (typed: string) => {
    const cents = centsOf(typed);
    return cents >= 1 && cents <= refundable ? refundText.submitAmount(money(cents)) : refundText.submit;
  };
  return (
    <FormCallDialog
      text={(form) => ({
        ...refundText,
        title: refundText.title(account?.email ?? adminMessages.table.noAccount),
        text: refundText.rest(rest, money(payment.amount)),
        submit: submitOf(form.watch('typed')),
      })}
      look="danger"
      schema={kind === 'full' ? fullSchema : partialSchema(refundable, refundText.amountError(rest))}
      initial={{ typed: '', note: undefined }}
      fields={[
        <Segmented legend={refundText.kind} legendHidden options={kindOptions} value={kind} onChange={setKind} />,
        kind === 'partial' && {
          name: 'typed',
          label: refundText.amount,
          hint: refundText.amountHint(rest),
          inputMode: 'decimal',
          autoComplete: 'off',
          required: true,
        },
        subscription !== null && (
          <div className="grid gap-1">
            <Checkbox label={refundText.cancelToo} checked={cancels} onChange={setChosen} />
            <p className="text-muted text-sm">{describeSubscription(subscription, kind, cancels)}</p>
          </div>
        ),
        noteField(refundText),
      ]}
      call={async ({ typed, ...note }) => {
        const amount = centsOf(typed);
        const body = { ...note, amount, refunded, cancelSubscription: cancels };
        await adminApi.adminRefundTransaction({ params: { id }, body });
        return amount;
      }}
      refreshes={[[adminRoutes.adminListTransactions.path], [adminRoutes.adminListSubscriptions.path]]}
      done={(amount) => ({ title: refundText.done(money(amount)), description: refundText.doneText })}
      onClose={onClose}
    />
  );
}

const AmountCell = ({ amount, tax, currency }: AdminTransaction) => (
  <span className="grid">
    {formatMoney({ amount, currency })}
    {tax > 0 && <span className="text-muted text-xs">{text.tax(formatMoney({ amount: tax, currency }))}</span>}
  </span>
);

const InvoiceCell = ({ description, invoice, units }: AdminTransaction) => (
  <span className="grid text-muted text-xs">
    {description && <span className="text-ink text-sm">{description}</span>}
    {invoice?.number ?? invoice?.id}
    {describeUnits(units).map((line) => (
      <span key={line}>{line}</span>
    ))}
  </span>
);

const formatPaymentMethod = ({ method, card }: AdminTransaction): string | null =>
  card ? formatCard(card) : method && formatMethod(method);

/** Returns why a payment can't be refunded, or undefined if it can. `ownId`: the administrator's account ID. */
function findRefundBlock({ account, refundable }: Pick<AdminTransaction, 'account' | 'refundable'>, ownId?: string) {
  if (refundable === 0) return text.fullyRefunded;
  return account !== null && account.id === ownId ? text.ownPayment : undefined;
}
