import type { KeyKind, KeyScope } from '@uprez/contracts/schemas/api-keys';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import type { KeyDraft } from './key-draft.ts';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.fields;
const kinds = (Object.keys(text.kinds) as KeyKind[]).map((value) => ({ value, label: text.kinds[value].label }));
const scopes = Object.keys(text.scopeList) as KeyScope[];

export type DraftFieldsProps = {
  draft: KeyDraft;
  onChange: (values: Partial<KeyDraft>) => void;
  /** What the server refused, by field. */
  errors: Partial<Record<string, string>>;
};

/** What a key is for and what it may do; decided once, when it is made. */
export function KeyPurposeFields({ draft, onChange, errors }: DraftFieldsProps) {
  const toggle = (scope: KeyScope) => (checked: boolean) =>
    onChange({ scopes: scopes.filter((other) => (other === scope ? checked : draft.scopes.includes(other))) });
  const scopeError = draft.scopes.length === 0 ? text.noScope : errors.scopes;
  return (
    <div className="grid content-start gap-5">
      <div className="grid gap-1.5">
        <Segmented legend={text.kind} options={kinds} value={draft.kind} onChange={(kind) => onChange({ kind })} />
        <p className="text-muted text-xs">{errors.kind ?? text.kinds[draft.kind].hint}</p>
      </div>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium text-sm">{text.scopes}</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={text.scopeOf(text.scopeList[scope])}
            checked={draft.scopes.includes(scope)}
            onChange={toggle(scope)}
          />
        ))}
        {scopeError && (
          <p role="alert" className="text-danger text-sm">
            {scopeError}
          </p>
        )}
      </fieldset>
    </div>
  );
}
