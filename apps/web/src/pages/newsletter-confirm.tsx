import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { InterestList } from '../features/newsletter/interest-list.tsx';
import { InvalidLink } from '../features/newsletter/invalid-link.tsx';
import { LinkState } from '../features/newsletter/link-state.tsx';
import { newsletterMessages } from '../features/newsletter/messages.ts';
import { confirmationQuery } from '../features/newsletter/queries.ts';
import { hasErrorCode } from '../lib/api/api-errors.ts';
import { paths } from '../site-map.ts';
import { buttonStyle } from '../ui/controls/button.tsx';
import { CardPage } from '../ui/layout/page-heading.tsx';

const text = newsletterMessages.confirm;

/** Confirms a subscription when it is opened: programs that only fetch links confirm nothing. */
export function ConfirmSubscriptionPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const { data, error, isFetching, refetch } = useQuery(confirmationQuery(token));
  if (token === '' || hasErrorCode(error, 'invalid_token')) return <InvalidLink document={text.document} />;
  if (!data)
    return (
      <LinkState
        document={text.document}
        heading={error ? text.failed : text.title}
        pending={text.pending}
        error={error}
        isFetching={isFetching}
        retry={{ label: text.retry, run: () => void refetch() }}
      />
    );
  return (
    <CardPage title={text.document} heading={text.done}>
      <p role="status" className="text-muted text-sm wrap-anywhere">
        {text.text(data.email)}
      </p>
      <InterestList {...data} />
      <Link
        to={`${paths.preferences}?${new URLSearchParams({ token: data.token })}`}
        className={buttonStyle({ look: 'secondary', size: 'wide' })}
      >
        {text.preferences}
      </Link>
    </CardPage>
  );
}
