import { type EventType, eventTypes, subscribable } from '@uprez/contracts/schemas/webhook-events';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { webhookMessages } from './messages.ts';
import type { WebhookDraft } from './webhook-draft.ts';

const text = webhookMessages.form;

type EventChoiceProps = {
  draft: Pick<WebhookDraft, 'every' | 'events'>;
  onChange: (values: Partial<WebhookDraft>) => void;
  error: string | undefined;
};

function Label({ type }: { type: EventType }) {
  return (
    <>
      <code className="text-xs">{type}</code>
      <span className="block text-muted text-xs">{eventTypes[type]}</span>
    </>
  );
}

/** Which events are sent: all, or some. */
export function EventChoice({ draft: { every, events }, onChange, error }: EventChoiceProps) {
  const toggle = (type: EventType) => (checked: boolean) =>
    onChange({ events: subscribable.filter((other) => (other === type ? checked : events.includes(other))) });
  const fault = !every && events.length === 0 ? text.noEvent : error;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium text-sm">{text.which}</legend>
      <Checkbox label={text.every} checked={every} onChange={(value) => onChange({ every: value })} />
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
      {fault && (
        <p role="alert" className="text-danger text-sm">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
