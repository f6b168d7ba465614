import { formatDate } from '../../lib/format/format.ts';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import type { KeyForm } from './key-draft.ts';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.fields;
const presetDays = [7, 30, 90, 365];

type KeyExpiryFieldProps = { form: KeyForm; currentExpiry: string | null | undefined };

/** When a key expires: never, after a number of days, or on a date. */
export function KeyExpiryField({ form, currentExpiry }: KeyExpiryFieldProps) {
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
