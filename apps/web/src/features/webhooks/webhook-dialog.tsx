import { limits } from '@uprez/contracts/policy/limits';
import { type EventType, eventTypes, subscribableEventTypes } from '@uprez/contracts/schemas/webhook-events';
import { newWebhookSchema, type WebhookView } from '@uprez/contracts/schemas/webhooks';
import * as z from 'zod';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { webhookMessages } from './messages.ts';

const text = webhookMessages.form;

type WebhookDraft = {
  url: string;
  description: string;
  /** All events, including future types. */
  every: boolean;
  events: readonly EventType[];
  sandbox: boolean;
};
export type WebhookBody = { url: string; description: string; events: EventType[]; sandbox: boolean };

export function toWebhookDraft(webhook?: WebhookView): WebhookDraft {
  const events = webhook?.events ?? [];
  return {
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    every: events.length === 0,
    events: events.length === 0 ? subscribableEventTypes : events,
    sandbox: webhook?.sandbox ?? false,
  };
}

/** Converts a draft to a request body. An empty list of events subscribes to all events. */
export const toWebhookBody = ({ url, description, every, events, sandbox }: WebhookDraft): WebhookBody => ({
  url: url.trim(),
  description: description.trim(),
  events: every ? [] : [...events],
  sandbox,
});

const webhookSchema = z
  .custom<WebhookDraft>()
  .transform((draft): z.input<typeof newWebhookSchema> => toWebhookBody(draft))
  .pipe(newWebhookSchema);

/** Returns an error message for the first missing field. Undefined if the draft is complete. */
export function findMissingField({ url, every, events }: WebhookDraft): string | undefined {
  if (url.trim() === '') return text.needsUrl;
  return every || events.length > 0 ? undefined : text.noEvent;
}

function EventChoice({ form }: { form: ReturnType<typeof useApiForm<WebhookDraft>> }) {
  const { every, events } = form.watch();
  const toggle = (type: EventType) => (checked: boolean) =>
    form.change({
      events: subscribableEventTypes.filter((other) => (other === type ? checked : events.includes(other))),
    });
  const error = !every && events.length === 0 ? text.noEvent : form.errorOf('events');
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium text-sm">{text.which}</legend>
      <Checkbox label={text.every} checked={every} onChange={(value) => form.change({ every: value })} />
      {!every && (
        <div className="grid gap-2 pl-7">
          {subscribableEventTypes.map((type) => (
            <Checkbox
              key={type}
              label={
                <>
                  <code className="text-xs">{type}</code>
                  <span className="block text-muted text-xs">{eventTypes[type]}</span>
                </>
              }
              checked={events.includes(type)}
              onChange={toggle(type)}
            />
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}

type WebhookDialogProps = {
  webhook?: WebhookView;
  /** Whether the plan allows only sandbox endpoints. */
  sandboxOnly?: boolean;
  save: (body: WebhookBody) => Promise<void>;
  onClose: () => void;
};

/** The mode (live or sandbox) can't be changed after creation. */
export function WebhookDialog({ webhook, sandboxOnly = false, save, onClose }: WebhookDialogProps) {
  const form = useApiForm({
    schema: webhookSchema,
    defaultValues: { ...toWebhookDraft(webhook), ...(sandboxOnly && { sandbox: true }) },
    send: async (draft) => {
      await save(toWebhookBody(draft));
      onClose();
    },
  });
  const draft = form.watch();
  return (
    <FormDialog
      title={webhook ? text.change : text.create}
      form={form}
      text={text}
      missing={findMissingField(draft)}
      onClose={onClose}
    >
      <TextField
        label={text.url}
        hint={text.urlHint}
        {...form.field('url')}
        inputMode="url"
        maxLength={limits.urlLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        label={text.description}
        optional={text.optional}
        {...form.field('description')}
        maxLength={limits.webhookDescriptionLength}
        autoComplete="off"
      />
      <EventChoice form={form} />
      {!webhook && (
        <Checkbox
          label={text.sandbox}
          checked={draft.sandbox}
          disabled={sandboxOnly}
          onChange={(sandbox) => form.change({ sandbox })}
        />
      )}
    </FormDialog>
  );
}
