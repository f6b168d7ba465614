import { CardPage } from '../../ui/layout/page-heading.tsx';
import { newsletterMessages } from './messages.ts';
import { SubscribeForm } from './subscribe-form.tsx';

const text = newsletterMessages.invalid;

/** The same page for links that are expired, used, or forged. `document`: the title of the document. */
export const InvalidLink = ({ document }: { document: string }) => (
  <CardPage title={document} heading={text.title}>
    <p role="status" className="text-muted text-sm">
      {text.text}
    </p>
    <SubscribeForm source="site" />
  </CardPage>
);
