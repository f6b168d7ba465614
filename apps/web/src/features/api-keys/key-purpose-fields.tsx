import type { KeyKind, KeyScope } from '@uprez/contracts/schemas/api-keys';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import type { KeyForm } from './key-draft.ts';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.fields;
const kinds = (Object.keys(text.kinds) as KeyKind[]).map((value) => ({ value, label: text.kinds[value].label }));
const scopes = Object.keys(text.scopeList) as KeyScope[];

/** Kind and scopes of a new key, which cannot be changed later. */
export function KeyPurposeFields({ form }: { form: KeyForm }) {
  const kind = form.watch('kind');
  const chosen = form.watch('scopes');
  const toggle = (scope: KeyScope) => (checked: boolean) =>
    form.change({ scopes: scopes.filter((other) => (other === scope ? checked : chosen.includes(other))) });
  const scopeError = chosen.length === 0 ? text.noScope : form.errorOf('scopes');
  return (
    <div className="grid content-start gap-5">
      <div className="grid gap-1.5">
        <Segmented legend={text.kind} options={kinds} value={kind} onChange={(next) => form.change({ kind: next })} />
        <p className="text-muted text-xs">{form.errorOf('kind') ?? text.kinds[kind].hint}</p>
      </div>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium text-sm">{text.scopes}</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={text.scopeOf(text.scopeList[scope])}
            checked={chosen.includes(scope)}
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
