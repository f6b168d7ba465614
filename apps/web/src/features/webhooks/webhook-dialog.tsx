import { limits } from '@uprez/contracts/policy/limits';
import { type EventType, eventTypes, subscribableEventTypes } from '@uprez/contracts/schemas/webhook-events';
import { newWebhookSchema, type WebhookView } from '@uprez/contracts/schemas/webhooks';
import * as z from 'zod';
import type { useApiForm } from '../../lib/forms/use-api-form.ts';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { exactInput } from '../../ui/controls/text-field.tsx';
import { FormCallDialog } from '../../ui/overlays/call-dialog.tsx';
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
export const WebhookDialog = ({ webhook, sandboxOnly = false, save, onClose }: WebhookDialogProps) => (
  <FormCallDialog
    text={{ ...text, title: webhook ? text.change : text.create }}
    schema={webhookSchema}
    initial={{ ...toWebhookDraft(webhook), ...(sandboxOnly && { sandbox: true }) }}
    missing={(form) => findMissingField(form.watch())}
    fields={(form) => [
      {
        name: 'url',
        label: text.url,
        hint: text.urlHint,
        inputMode: 'url',
        maxLength: limits.urlLength,
        ...exactInput,
      },
      {
        name: 'description',
        label: text.description,
        optional: text.optional,
        maxLength: limits.webhookDescriptionLength,
        autoComplete: 'off',
      },
      <EventChoice form={form} />,
      !webhook && <Checkbox label={text.sandbox} {...form.checkbox('sandbox')} disabled={sandboxOnly} />,
    ]}
    call={(draft) => save(toWebhookBody(draft))}
    onClose={onClose}
  />
);
