import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { InvalidLink } from '../features/newsletter/invalid-link.tsx';
import { LinkState } from '../features/newsletter/link-state.tsx';
import { newsletterMessages } from '../features/newsletter/messages.ts';
import { PreferencesForm } from '../features/newsletter/preferences-form.tsx';
import { subscriptionQuery } from '../features/newsletter/queries.ts';
import { hasErrorCode } from '../lib/api/api-errors.ts';
import { messages } from '../messages.ts';
import { CardPage } from '../ui/layout/page-heading.tsx';

const text = newsletterMessages.preferences;

/** What a subscriber gets, opened by a link in an email. */
export function PreferencesPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const { data, error, isFetching, refetch } = useQuery(subscriptionQuery(token));
  if (token === '' || hasErrorCode(error, 'invalid_token')) return <InvalidLink document={text.document} />;
  if (!data)
    return (
      <LinkState
        document={text.document}
        heading={error ? text.failed : text.title}
        pending={messages.session.loading}
        error={error}
        isFetching={isFetching}
        retry={{ label: text.retry, run: () => void refetch() }}
      />
    );
  return (
    <CardPage title={text.document} heading={text.title}>
      <p className="text-muted text-sm wrap-anywhere">{text.text(data.email)}</p>
      <PreferencesForm token={token} subscription={data} />
    </CardPage>
  );
}
