import { limits } from '@uprez/contracts/policy/limits';
import type { User } from '@uprez/contracts/schemas/user';
import { useState } from 'react';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { findFieldError } from '../../lib/forms/find-field-error.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Disclosure } from '../../ui/layout/disclosure.tsx';
import { emptyDraft, newKeyBody, newKeySchema } from './key-draft.ts';
import { KeyLimitFields } from './key-limit-fields.tsx';
import { KeyPurposeFields } from './key-purpose-fields.tsx';
import { apiKeysMessages } from './messages.ts';
import { UnverifiedNotice } from './unverified-notice.tsx';
import type { KeyCreation } from './use-key-creation.ts';

const text = apiKeysMessages.create;

/** Creates a key from its name; kind, scopes, and limits are optional. */
export function NewKeyForm({ user, create }: { user: User; create: KeyCreation['create'] }) {
  const [isOpen, setIsOpen] = useState(false);
  /** Makes a field with an error visible. */
  const reveal = (field: string | undefined) => field !== undefined && field !== 'name' && setIsOpen(true);
  const form = useApiForm({
    schema: newKeySchema,
    defaultValues: emptyDraft,
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
      showToast({ title: text.failed, destructive: true });
    },
  });
  const isUnverified = !user.emailVerified || hasErrorCode(create.error, 'email_unverified');
  const button = (
    <Button
      type="submit"
      disabled={form.watch('name').trim() === ''}
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
      {isUnverified ? <UnverifiedNotice /> : form.error && <Notice kind="danger">{form.error}</Notice>}
      <Disclosure label={text.options} open={isOpen} onOpenChange={setIsOpen}>
        <div className="grid gap-6 rounded-control border border-line p-4 md:grid-cols-2">
          <KeyPurposeFields form={form} />
          <KeyLimitFields form={form} tier={user.subscriptionTier} />
        </div>
      </Disclosure>
      {isOpen && <div className="grid sm:justify-start">{button}</div>}
    </form>
  );
}
