import { useSearchParams } from 'react-router';
import { LinkPage } from '../features/newsletter/link-page.tsx';
import { newsletterMessages } from '../features/newsletter/messages.ts';
import { PreferencesForm } from '../features/newsletter/preferences-form.tsx';
import { subscriptionQuery } from '../features/newsletter/queries.ts';
import { messages } from '../messages.ts';
import { CardPage } from '../ui/layout/page-heading.tsx';

const text = newsletterMessages.preferences;

/** What a subscriber gets, opened by a link in an email. */
export function PreferencesPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <LinkPage token={token} query={subscriptionQuery(token)} texts={{ ...text, pending: messages.session.loading }}>
      {(subscription) => (
        <CardPage title={text.document} heading={text.title}>
          <p className="text-muted text-sm wrap-anywhere">{text.text(subscription.email)}</p>
          <PreferencesForm token={token} subscription={subscription} />
        </CardPage>
      )}
    </LinkPage>
  );
}
