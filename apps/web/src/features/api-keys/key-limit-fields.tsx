import { limits } from '@uprez/contracts/policy/limits';
import { plans, type Tier } from '@uprez/contracts/policy/plans';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { KeyExpiryField } from './key-expiry-field.tsx';
import type { DraftFieldsProps } from './key-purpose-fields.tsx';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.fields;

type KeyLimitFieldsProps = DraftFieldsProps & {
  tier: Tier;
  /** The end that the key has now. */
  expiresAt?: string | null;
  /** A rotation has set the end. */
  isReplaced?: boolean;
};

/** What a key is limited to; may be changed at any time. */
export function KeyLimitFields({ draft, onChange, errors, tier, expiresAt, isReplaced }: KeyLimitFieldsProps) {
  return (
    <div className="grid min-w-0 content-start gap-5">
      {isReplaced ? (
        <p className="text-muted text-sm">{apiKeysMessages.edit.replaced}</p>
      ) : (
        <KeyExpiryField draft={draft} onChange={onChange} error={errors.expiresAt} expiresAt={expiresAt} />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberField
          label={text.monthlyCap}
          hint={text.monthlyCapHint}
          value={draft.monthlyCap}
          onChange={(monthlyCap) => onChange({ monthlyCap })}
          min={1}
          max={limits.apiKeyCap}
          error={errors.monthlyCap}
        />
        <NumberField
          label={text.callsPerMinute}
          hint={text.callsPerMinuteHint(plans[tier].callsPerMinute)}
          value={draft.callsPerMinute}
          onChange={(callsPerMinute) => onChange({ callsPerMinute })}
          min={1}
          max={limits.apiKeyCallsPerMinute}
          error={errors.callsPerMinute}
        />
      </div>
      <TextArea
        label={text.addresses}
        hint={text.addressesHint}
        rows={3}
        value={draft.addresses}
        onChange={(event) => onChange({ addresses: event.target.value })}
        autoCapitalize="none"
        spellCheck={false}
        error={errors.addresses}
      />
    </div>
  );
}
