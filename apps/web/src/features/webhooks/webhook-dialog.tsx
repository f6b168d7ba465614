import { limits } from '@uprez/contracts/policy/limits';
import type { WebhookView } from '@uprez/contracts/schemas/webhooks';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../lib/forms/field-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { FormFault } from '../../ui/controls/form-fault.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EventChoice } from './event-choice.tsx';
import { webhookMessages } from './messages.ts';
import { draftOf, isComplete, type WebhookBody, webhookBody } from './webhook-draft.ts';

const text = webhookMessages.form;

/** What a form needs of a mutation. */
type Save = {
  isPending: boolean;
  error: Error | null;
  mutate: (body: WebhookBody, options: { onSuccess: () => void }) => void;
};
type WebhookDialogProps = {
  webhook?: WebhookView;
  /** The plan has no endpoints but those of the sandbox. */
  sandboxOnly?: boolean;
  save: Save;
  onClose: () => void;
};

/** Makes an endpoint, or changes one. What it is for, live or sandbox, is decided once. */
export function WebhookDialog({ webhook, sandboxOnly = false, save, onClose }: WebhookDialogProps) {
  const [draft, setDraft] = useState(() => ({ ...draftOf(webhook), ...(sandboxOnly && { sandbox: true }) }));
  const change = (values: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...values }));
  const errors = fieldErrors(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending && isComplete(draft)) save.mutate(webhookBody(draft), { onSuccess: onClose });
  };
  return (
    <Dialog open onOpenChange={onClose} title={webhook ? text.change : text.create}>
      <form onSubmit={submit} className="grid min-w-0 gap-5">
        <TextField
          label={text.url}
          hint={text.urlHint}
          inputMode="url"
          value={draft.url}
          onChange={(event) => change({ url: event.target.value })}
          maxLength={limits.urlLength}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.url}
        />
        <TextField
          label={text.description}
          optional={text.optional}
          value={draft.description}
          onChange={(event) => change({ description: event.target.value })}
          maxLength={limits.webhookDescriptionLength}
          autoComplete="off"
          error={errors.description}
        />
        <EventChoice draft={draft} onChange={change} error={errors.events} />
        {!webhook && (
          <Checkbox
            label={text.sandbox}
            checked={draft.sandbox}
            disabled={sandboxOnly}
            onChange={(sandbox) => change({ sandbox })}
          />
        )}
        <FormFault error={save.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="secondary" onClick={onClose}>
            {text.cancel}
          </Button>
          <Button type="submit" disabled={!isComplete(draft)} pending={save.isPending} pendingText={text.pending}>
            {text.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
