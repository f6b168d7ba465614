import { formatDate } from '../../lib/format/format.ts';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import type { DraftFieldsProps } from './key-purpose-fields.tsx';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.fields;
const presetDays = [7, 30, 90, 365];

type KeyExpiryFieldProps = Omit<DraftFieldsProps, 'errors'> & {
  error: string | undefined;
  expiresAt: string | null | undefined;
};

/** When a key ends: never, in so many days, or on a day. */
export function KeyExpiryField({ draft, onChange, error, expiresAt }: KeyExpiryFieldProps) {
  const isOnDay = draft.expiry === 'date';
  const options = [
    ...(expiresAt ? [{ value: 'keep', label: text.keep(formatDate(expiresAt)) }] : []),
    { value: 'never', label: text.never },
    ...presetDays.map((days) => ({ value: String(days), label: text.afterDays(days) })),
    { value: 'date', label: text.onDate },
  ];
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <Select
        label={text.expiry}
        value={draft.expiry}
        onChange={(expiry) => onChange({ expiry })}
        options={options}
        error={isOnDay ? undefined : error}
      />
      {isOnDay && (
        <TextField
          label={text.date}
          type="date"
          required
          value={draft.lastDay}
          onChange={(event) => onChange({ lastDay: event.target.value })}
          error={error}
        />
      )}
    </div>
  );
}
