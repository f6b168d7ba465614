import { type Topic, topics } from '@uprez/contracts/policy/newsletter';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { describeError } from '../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { focusContent } from '../../lib/layout/focus.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Button, buttonStyle } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';
import { LinkPage, subscriptionQuery } from './link-page.tsx';
import { newsletterMessages } from './messages.ts';

const text = newsletterMessages.unsubscribe;

type LeaveProps = { token: string; email: string; topic: Topic | undefined };

/** Unsubscribes only after a click, because mail scanners open links. */
function UnsubscribeCard({ token, email, topic }: LeaveProps) {
  const leave = useResourceMutation({
    call: async (left: Topic | undefined) => (await api.unsubscribe({ query: { token, topic: left } })).data,
    onSuccess: focusContent,
  });
  const { data, error, isPending, variables } = leave;
  const preferences = `${paths.preferences}?${new URLSearchParams({ token })}`;
  if (data)
    return (
      <CardPage title={text.document} heading={text.done}>
        <p role="status" className="text-muted text-sm wrap-anywhere">
          {variables && data.topics.length > 0 ? text.leftOf[variables](email) : text.left(email)}
        </p>
        <Link to={preferences} className={buttonStyle({ look: 'secondary', size: 'wide' })}>
          {text.preferences}
        </Link>
      </CardPage>
    );
  return (
    <CardPage title={text.document} heading={text.title}>
      <p className="text-muted text-sm wrap-anywhere">{topic ? text.textOf[topic](email) : text.text(email)}</p>
      {error && <Notice kind="danger">{describeError(error)}</Notice>}
      <div className="grid gap-2">
        <Button size="wide" pending={isPending} pendingText={text.pending} onClick={() => leave.mutate(topic)}>
          {text.submit}
        </Button>
        {topic && (
          <Button look="secondary" size="wide" disabled={isPending} onClick={() => leave.mutate(undefined)}>
            {text.all}
          </Button>
        )}
      </div>
    </CardPage>
  );
}

/** Opened from an email link. */
export function UnsubscribePage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const topic = topics.find((one) => one === params.get('topic'));
  const { retry } = newsletterMessages.preferences;
  const texts = { ...text, failed: text.title, pending: messages.session.loading, retry };
  return (
    <LinkPage token={token} query={subscriptionQuery(token)} texts={texts}>
      {({ email }) => <UnsubscribeCard token={token} email={email} topic={topic} />}
    </LinkPage>
  );
}
