import { Link, useSearchParams } from 'react-router';
import { InterestList } from '../features/newsletter/interest-list.tsx';
import { LinkPage } from '../features/newsletter/link-page.tsx';
import { newsletterMessages } from '../features/newsletter/messages.ts';
import { confirmationQuery } from '../features/newsletter/queries.ts';
import { paths } from '../site-map.ts';
import { buttonStyle } from '../ui/controls/button.tsx';
import { CardPage } from '../ui/layout/page-heading.tsx';

const text = newsletterMessages.confirm;

/** Confirms a subscription when it is opened: programs that only fetch links confirm nothing. */
export function ConfirmSubscriptionPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <LinkPage token={token} query={confirmationQuery(token)} texts={text}>
      {(confirmed) => (
        <CardPage title={text.document} heading={text.done}>
          <p role="status" className="text-muted text-sm wrap-anywhere">
            {text.text(confirmed.email)}
          </p>
          <InterestList {...confirmed} />
          <Link
            to={`${paths.preferences}?${new URLSearchParams({ token: confirmed.token })}`}
            className={buttonStyle({ look: 'secondary', size: 'wide' })}
          >
            {text.preferences}
          </Link>
        </CardPage>
      )}
    </LinkPage>
  );
}
