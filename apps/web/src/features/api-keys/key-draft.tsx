import { limits } from '@uprez/contracts/policy/limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { KeyKind } from '@uprez/contracts/policy/sandbox';
import { type ApiKeyView, apiKeyChangeSchema, type KeyScope, newApiKeySchema } from '@uprez/contracts/schemas/api-keys';
import * as z from 'zod';
import { formatDate } from '../../lib/format/format.ts';
import type { useApiForm } from '../../lib/forms/use-api-form.ts';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { apiKeysMessages } from './messages.ts';

/** The field names match the API's, so errors from the API appear at their fields. */
type KeyDraft = {
  name: string;
  kind: KeyKind;
  scopes: readonly KeyScope[];
  /** `never`, `keep`, `date`, or a number of days. */
  expiresAt: string;
  /** If `expiresAt` is `date`, the last day on which the key is valid: `2026-11-05`. */
  lastDay: string;
  monthlyCap: number | undefined;
  callsPerMinute: number | undefined;
  addresses: string;
  allowedOrigins: string;
};
export type KeyForm = ReturnType<typeof useApiForm<KeyDraft>>;

export const emptyDraft: KeyDraft = {
  name: '',
  kind: 'live',
  scopes: ['process', 'read'],
  expiresAt: 'never',
  lastDay: '',
  monthlyCap: undefined,
  callsPerMinute: undefined,
  addresses: '',
  allowedOrigins: '',
};

export const draftOf = (key: ApiKeyView): KeyDraft => ({
  ...emptyDraft,
  name: key.name,
  expiresAt: key.expiresAt ? 'keep' : 'never',
  monthlyCap: key.monthlyCap ?? undefined,
  callsPerMinute: key.callsPerMinute ?? undefined,
  addresses: key.addresses.join('\n'),
  allowedOrigins: key.allowedOrigins.join('\n'),
});

const dayMs = 86_400_000;

/**
 * Returns the chosen expiry. Null means that the key doesn't expire, undefined that its expiry doesn't change. On a
 * chosen day, the key expires at the end of the day in the browser's time zone.
 */
export function expiryOf({ expiresAt, lastDay }: Pick<KeyDraft, 'expiresAt' | 'lastDay'>, now: number) {
  if (expiresAt === 'never') return null;
  if (expiresAt === 'date') return lastDay ? new Date(`${lastDay}T23:59:59`).toISOString() : undefined;
  return expiresAt === 'keep' ? undefined : new Date(now + Number(expiresAt) * dayMs).toISOString();
}

const splitList = (text: string) => text.split(/[\s,]+/).filter(Boolean);

export function toKeyChangeBody(draft: KeyDraft, now: number) {
  const expiresAt = expiryOf(draft, now);
  return {
    name: draft.name.trim(),
    monthlyCap: draft.monthlyCap ?? null,
    callsPerMinute: draft.callsPerMinute ?? null,
    addresses: splitList(draft.addresses),
    allowedOrigins: splitList(draft.allowedOrigins),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

export const toNewKeyBody = (draft: KeyDraft, now: number) => ({
  ...toKeyChangeBody(draft, now),
  kind: draft.kind,
  scopes: [...draft.scopes],
});

const draftSchema = z.custom<KeyDraft>();

export const newKeySchema = draftSchema
  .transform((draft): z.input<typeof newApiKeySchema> => toNewKeyBody(draft, Date.now()))
  .pipe(newApiKeySchema);
export const keyChangeSchema = draftSchema
  .transform((draft): z.input<typeof apiKeyChangeSchema> => toKeyChangeBody(draft, Date.now()))
  .pipe(apiKeyChangeSchema);

const text = apiKeysMessages.fields;
const presetDays = [7, 30, 90, 365];

function KeyExpiryField({ form, currentExpiry }: { form: KeyForm; currentExpiry: string | null | undefined }) {
  const error = form.errorOf('expiresAt');
  const isOnDate = form.watch('expiresAt') === 'date';
  const options = [
    ...(currentExpiry ? [{ value: 'keep', label: text.keep(formatDate(currentExpiry)) }] : []),
    { value: 'never', label: text.never },
    ...presetDays.map((days) => ({ value: String(days), label: text.afterDays(days) })),
    { value: 'date', label: text.onDate },
  ];
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <Select
        label={text.expiry}
        {...form.choice('expiresAt')}
        options={options}
        error={isOnDate ? undefined : error}
      />
      {isOnDate && <TextField label={text.date} type="date" required {...form.field('lastDay')} error={error} />}
    </div>
  );
}

type KeyLimitFieldsProps = { form: KeyForm; ownPlan: Plan; apiKey?: ApiKeyView };

/** If the key has been replaced, its expiry can't be changed. */
export function KeyLimitFields({ form, ownPlan, apiKey }: KeyLimitFieldsProps) {
  return (
    <div className="grid min-w-0 content-start gap-5">
      {apiKey?.replacedBy ? (
        <p className="text-muted text-sm">{apiKeysMessages.edit.replaced}</p>
      ) : (
        <KeyExpiryField form={form} currentExpiry={apiKey?.expiresAt} />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberField
          label={text.monthlyCap}
          hint={text.monthlyCapHint}
          {...form.choice('monthlyCap')}
          min={1}
          max={limits.apiKeyCap}
          error={form.errorOf('monthlyCap')}
        />
        <NumberField
          label={text.callsPerMinute}
          hint={text.callsPerMinuteHint(ownPlan.callsPerMinute)}
          {...form.choice('callsPerMinute')}
          min={1}
          max={limits.apiKeyCallsPerMinute}
          error={form.errorOf('callsPerMinute')}
        />
      </div>
      <TextArea
        label={text.addresses}
        hint={text.addressesHint}
        rows={3}
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('addresses')}
      />
      <TextArea
        label={text.allowedOrigins}
        hint={text.allowedOriginsHint}
        rows={3}
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('allowedOrigins')}
      />
    </div>
  );
}
