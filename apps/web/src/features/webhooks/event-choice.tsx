import { type EventType, eventTypes, subscribable } from '@uprez/contracts/schemas/webhook-events';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { webhookMessages } from './messages.ts';
import type { WebhookForm } from './webhook-draft.ts';

const text = webhookMessages.form;

function Label({ type }: { type: EventType }) {
  return (
    <>
      <code className="text-xs">{type}</code>
      <span className="block text-muted text-xs">{eventTypes[type]}</span>
    </>
  );
}

/** The events of an endpoint: all, or some. */
export function EventChoice({ form }: { form: WebhookForm }) {
  const { every, events } = form.watch();
  const toggle = (type: EventType) => (checked: boolean) =>
    form.change({ events: subscribable.filter((other) => (other === type ? checked : events.includes(other))) });
  const error = !every && events.length === 0 ? text.noEvent : form.errorOf('events');
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium text-sm">{text.which}</legend>
      <Checkbox label={text.every} checked={every} onChange={(value) => form.change({ every: value })} />
      {!every && (
        <div className="grid gap-2 pl-7">
          {subscribable.map((type) => (
            <Checkbox
              key={type}
              label={<Label type={type} />}
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
