import { limits } from '@uprez/contracts/policy/limits';
import type { KeyScope } from '@uprez/contracts/schemas/api-keys';
import type { User } from '@uprez/contracts/schemas/user';
import { useId, useState } from 'react';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { findFieldError } from '../../lib/forms/find-field-error.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { planOfUser } from '../../lib/session/plan-of-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormError } from '../../ui/feedback/form-error.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { emptyDraft, type KeyForm, newKeyBody, newKeySchema } from './key-draft.ts';
import { KeyLimitFields } from './key-limit-fields.tsx';
import { apiKeysMessages } from './messages.ts';
import { UnverifiedNotice } from './unverified-notice.tsx';
import type { KeyCreation } from './use-api-keys.ts';

const { create: text, fields: fieldText } = apiKeysMessages;
const kinds = (['live', 'test'] as const).map((value) => ({ value, label: fieldText.kinds[value].label }));
const scopes = Object.keys(fieldText.scopeList) as KeyScope[];

function KeyPurposeFields({ form }: { form: KeyForm }) {
  const kind = form.watch('kind');
  const chosen = form.watch('scopes');
  const toggle = (scope: KeyScope) => (checked: boolean) =>
    form.change({ scopes: scopes.filter((other) => (other === scope ? checked : chosen.includes(other))) });
  const scopeError = chosen.length === 0 ? fieldText.noScope : form.errorOf('scopes');
  return (
    <div className="grid content-start gap-5">
      <div className="grid gap-1.5">
        <Segmented
          legend={fieldText.kind}
          options={kinds}
          value={kind}
          onChange={(next) => form.change({ kind: next })}
        />
        <p className="text-muted text-xs">{form.errorOf('kind') ?? fieldText.kinds[kind].hint}</p>
      </div>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium text-sm">{fieldText.scopes}</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            label={fieldText.scopeOf(fieldText.scopeList[scope])}
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

export function NewKeyForm({ user, create }: { user: User; create: KeyCreation['create'] }) {
  const reasonId = useId();
  const [isOpen, setIsOpen] = useState(false);
  /** Makes a field with an error visible. */
  const reveal = (field: string | undefined) => field !== undefined && field !== 'name' && setIsOpen(true);
  const form = useApiForm({
    schema: newKeySchema,
    defaultValues: emptyDraft,
    failure: text.failed,
    send: async (draft) => {
      // The submit button is disabled after the reset: closing the panel returns the focus to the name.
      form.setFocus('name');
      await create.mutateAsync(newKeyBody(draft, Date.now()), {
        onError: (error) => reveal(findFieldError(error)?.field),
      });
      form.reset(emptyDraft);
      setIsOpen(false);
    },
    onInvalid: (field) => {
      reveal(field);
      return text.failed;
    },
  });
  // The address may have been confirmed in another tab since.
  const wasUnverified = hasErrorCode(create.error, 'email_unverified');
  const isNameless = form.watch('name').trim() === '';
  const button = (
    <Button
      type="submit"
      disabled={isNameless || !user.emailVerified}
      aria-describedby={isNameless || !user.emailVerified ? reasonId : undefined}
      pending={form.isSubmitting}
      pendingText={text.pending}
    >
      {text.submit}
    </Button>
  );
  return (
    <form onSubmit={form.submit} className="grid gap-4">
      <div className="grid gap-3 sm:grid-cols-[minmax(0,24rem)_auto] sm:items-end sm:justify-start">
        <TextField
          label={text.name}
          {...form.field('name')}
          placeholder={text.namePlaceholder}
          maxLength={limits.nameLength}
          autoComplete="off"
        />
        {!isOpen && button}
      </div>
      <div id={reasonId} className="grid gap-3 empty:hidden">
        {user.emailVerified && isNameless && <p className="text-muted text-xs">{text.needsName}</p>}
        {!user.emailVerified && <UnverifiedNotice />}
      </div>
      {!wasUnverified && <FormError form={form} />}
      <Disclosure label={text.options} open={isOpen} onOpenChange={setIsOpen}>
        <div className="grid gap-6 rounded-control border border-line p-4 md:grid-cols-2">
          <KeyPurposeFields form={form} />
          <KeyLimitFields form={form} ownPlan={planOfUser(user)} />
        </div>
      </Disclosure>
      {isOpen && <div className="grid sm:justify-start">{button}</div>}
    </form>
  );
}
