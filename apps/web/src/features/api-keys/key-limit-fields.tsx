import { limits } from '@uprez/contracts/policy/limits';
import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { formatDate } from '../../lib/format/format.ts';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import type { KeyForm } from './key-draft.ts';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.fields;
const presetDays = [7, 30, 90, 365];

/** When a key expires: never, after a number of days, or on a date. */
function KeyExpiryField({ form, currentExpiry }: { form: KeyForm; currentExpiry: string | null | undefined }) {
  const choice = form.watch('expiresAt');
  const error = form.errorOf('expiresAt');
  const isOnDate = choice === 'date';
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
        value={choice}
        onChange={(expiresAt) => form.change({ expiresAt })}
        options={options}
        error={isOnDate ? undefined : error}
      />
      {isOnDate && <TextField label={text.date} type="date" required {...form.field('lastDay')} error={error} />}
    </div>
  );
}

type KeyLimitFieldsProps = { form: KeyForm; ownPlan: Plan; apiKey?: ApiKeyView };

/** Fields for a key's limits. All can be changed at any time, except the expiry of a replaced key. */
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
          value={form.watch('monthlyCap')}
          onChange={(monthlyCap) => form.change({ monthlyCap })}
          min={1}
          max={limits.apiKeyCap}
          error={form.errorOf('monthlyCap')}
        />
        <NumberField
          label={text.callsPerMinute}
          hint={text.callsPerMinuteHint(ownPlan.callsPerMinute)}
          value={form.watch('callsPerMinute')}
          onChange={(callsPerMinute) => form.change({ callsPerMinute })}
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
