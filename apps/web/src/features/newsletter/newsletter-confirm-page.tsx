import { topicNames } from '@uprez/contracts/policy/newsletter';
import type { NewsletterSubscription } from '@uprez/contracts/schemas/newsletter/subscribers';
import { serviceNames } from '@uprez/contracts/texts/status';
import { Link, useSearchParams } from 'react-router';
import { paths } from '../../site-map.ts';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';
import { confirmationQuery, LinkPage } from './link-page.tsx';
import { newsletterMessages as newsletterText } from './messages.ts';

const text = newsletterText.confirm;

/**
 * Confirms a subscription when the page renders. Uses a POST request, because programs that only fetch links, such as
 * mail scanners, must not confirm it.
 */
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

const InterestList = ({ topics, services }: Pick<NewsletterSubscription, 'topics' | 'services'>) => (
  <ul className="grid gap-3 text-sm">
    {topics.map((topic) => (
      <li key={topic} className="grid">
        <span className="font-medium">{topicNames[topic]}</span>
        <span className="text-muted text-xs">
          {topic === 'status' && services.length > 0
            ? services.map((service) => serviceNames[service]).join(', ')
            : newsletterText.topicHints[topic]}
        </span>
      </li>
    ))}
  </ul>
);
