import { Card } from '../../ui/layout/card.tsx';
import { newsletterMessages } from './messages.ts';
import { SubscribeForm } from './subscribe-form.tsx';

const text = newsletterMessages.blog;

/** Subscription form for news. */
export const NewsletterBox = () => (
  <Card title={text.title} className="sm:p-7">
    <p className="text-muted text-sm">{text.text}</p>
    <SubscribeForm source="blog" topics={['news']} />
  </Card>
);
