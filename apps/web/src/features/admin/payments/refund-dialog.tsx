import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { type AdminTransaction, refundBodySchema } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatDay, formatMoney } from '@uprez/contracts/texts/format';
import { useState } from 'react';
import * as z from 'zod';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { emptyAsUndefined, useApiForm } from '../../../lib/forms/use-api-form.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { paymentMessages } from './messages.ts';
import { parseCents } from './parse-cents.ts';

const text = paymentMessages.refund;
const kinds = ['full', 'partial'] as const;
const kindOptions = kinds.map((value) => ({ value, label: text.kinds[value] }));

const noteSchema = refundBodySchema.pick({ note: true });
/** `typed`: the amount of a partial refund in dollars. */
const fullSchema = noteSchema.extend({ typed: z.string() });
const partialSchema = (rest: number, message: string) =>
  noteSchema.extend({
    typed: z.string().refine((typed) => {
      const cents = parseCents(typed);
      return cents !== undefined && cents >= 1 && cents <= rest;
    }, message),
  });
type Values = z.input<typeof fullSchema>;

type RefundDialogProps = { payment: AdminTransaction; onClose: () => void };

type Subscription = NonNullable<AdminTransaction['subscription']>;

/** What follows for the subscription whose current period was paid. */
function describeSubscription({ renewsAt }: Subscription, kind: (typeof kinds)[number], cancels: boolean): string {
  if (cancels) return text.canceled;
  const next = renewsAt ? text.renews(formatDay(renewsAt)) : text.renewsNever;
  return kind === 'full' ? `${text.planEnds} ${next}` : `${text.planStays} ${next}`;
}

/** Asks for the amount, whether to cancel, and a note. */
export function RefundDialog({ payment, onClose }: RefundDialogProps) {
  const { id, account, refundable, refunded, currency, subscription } = payment;
  const [kind, setKind] = useState<(typeof kinds)[number]>('full');
  const [chosen, setChosen] = useState<boolean>();
  // A plan whose payment is returned in full has ended, so usually nothing more should be billed.
  const cancels = subscription !== null && (chosen ?? kind === 'full');
  const money = (amount: number) => formatMoney({ amount, currency });
  const rest = money(refundable);
  const centsOf = (typed: string) => (kind === 'full' ? refundable : (parseCents(typed) ?? 0));
  const refund = useResourceMutation({
    call: async ({ typed, ...body }: Values) => {
      const amount = centsOf(typed);
      await adminApi.adminRefundTransaction({
        params: { id },
        body: { ...body, amount, refunded, cancelSubscription: cancels },
      });
      return amount;
    },
    invalidates: [[adminRoutes.adminListTransactions.path], [adminRoutes.adminListSubscriptions.path]],
  });
  const form = useApiForm<Values>({
    schema: kind === 'full' ? fullSchema : partialSchema(refundable, text.amountError(rest)),
    defaultValues: { typed: '', note: undefined },
    send: async (values) => {
      const amount = await refund.mutateAsync(values);
      showToast({ title: text.done(money(amount)), description: text.doneText });
      onClose();
    },
  });
  const cents = centsOf(form.watch('typed'));
  const submit = cents >= 1 && cents <= refundable ? text.submitAmount(money(cents)) : text.submit;
  return (
    <FormDialog
      title={text.title(account?.email ?? adminMessages.table.noAccount)}
      description={text.rest(rest, money(payment.amount))}
      form={form}
      text={{ ...text, submit }}
      look="danger"
      onClose={onClose}
    >
      <Segmented legend={text.kind} legendHidden options={kindOptions} value={kind} onChange={setKind} />
      {kind === 'partial' && (
        <TextField
          label={text.amount}
          hint={text.amountHint(rest)}
          {...form.field('typed')}
          inputMode="decimal"
          autoComplete="off"
          required
        />
      )}
      {subscription && (
        <div className="grid gap-1">
          <Checkbox label={text.cancelToo} checked={cancels} onChange={setChosen} />
          <p className="text-muted text-sm">{describeSubscription(subscription, kind, cancels)}</p>
        </div>
      )}
      <TextField
        label={text.note}
        optional={text.optional}
        hint={text.noteHint}
        {...form.field('note', emptyAsUndefined)}
        autoComplete="off"
      />
    </FormDialog>
  );
}
