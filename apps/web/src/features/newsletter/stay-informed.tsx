import { Card } from '../../ui/layout/card.tsx';
import { newsletterMessages } from './messages.ts';
import { SubscribeForm } from './subscribe-form.tsx';

const text = newsletterMessages.status;

/** Subscribes to incidents and maintenance of all or chosen services. */
export const StayInformed = () => (
  <Card title={text.title} className="sm:p-7">
    <p className="text-muted text-sm">{text.text}</p>
    <SubscribeForm source="status" topics={['status']} />
  </Card>
);
