import { limits } from '@uprez/contracts/policy/limits';
import type { User } from '@uprez/contracts/schemas/user';
import { type FormEvent, useRef, useState } from 'react';
import { hasCode } from '../../lib/api/has-code.ts';
import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { emptyDraft, newKeyBody } from './key-draft.ts';
import { KeyLimitFields } from './key-limit-fields.tsx';
import { KeyPurposeFields } from './key-purpose-fields.tsx';
import { apiKeysMessages } from './messages.ts';
import { UnverifiedNotice } from './unverified-notice.tsx';
import type { KeyMaking } from './use-key-making.ts';

const text = apiKeysMessages.create;

/** Names a key and makes it; what it may do and is limited to can be said before. */
export function NewKeyForm({ user, create }: { user: User; create: KeyMaking['create'] }) {
  const nameField = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(emptyDraft);
  const [isOpen, setIsOpen] = useState(false);
  const change = (values: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...values }));
  const { name: nameError, ...errors } = fieldErrors(create.error);
  const isUnverified = !user.emailVerified || hasCode(create.error, 'email_unverified');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending || draft.name.trim() === '' || draft.scopes.length === 0) return;
    // The button is disabled once the name is gone: the focus comes back here when the panel closes.
    nameField.current?.focus();
    create.mutate(newKeyBody(draft, Date.now()), {
      onSuccess: () => {
        setDraft(emptyDraft);
        setIsOpen(false);
      },
      onError: (error) => {
        const { name: _, ...hidden } = fieldErrors(error);
        if (Object.keys(hidden).length > 0) setIsOpen(true);
      },
    });
  };
  const button = (
    <Button type="submit" disabled={draft.name.trim() === ''} pending={create.isPending} pendingText={text.pending}>
      {text.submit}
    </Button>
  );
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid gap-3 sm:grid-cols-[minmax(0,24rem)_auto] sm:items-end sm:justify-start">
        <TextField
          ref={nameField}
          label={text.name}
          placeholder={text.namePlaceholder}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
          maxLength={limits.nameLength}
          autoComplete="off"
          error={nameError}
        />
        {!isOpen && button}
      </div>
      {isUnverified ? <UnverifiedNotice /> : <FormFault error={create.error} />}
      <Disclosure label={text.options} open={isOpen} onOpenChange={setIsOpen}>
        <div className="grid gap-6 rounded-control border border-line p-4 md:grid-cols-2">
          <KeyPurposeFields draft={draft} onChange={change} errors={errors} />
          <KeyLimitFields draft={draft} onChange={change} errors={errors} tier={user.subscriptionTier} />
        </div>
      </Disclosure>
      {isOpen && <div className="grid sm:justify-start">{button}</div>}
    </form>
  );
}
