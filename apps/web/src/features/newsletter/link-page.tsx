import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage, hasErrorCode } from '../../lib/api/api-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { CardPage } from '../../ui/layout/page-heading.tsx';
import { newsletterMessages } from './messages.ts';
import { SubscribeForm } from './subscribe-form.tsx';

type LinkPageProps<Data> = {
  token: string;
  /** What the server says about the token. */
  query: UseQueryOptions<Data, Error, Data, string[]>;
  texts: {
    /** The title of the document. */
    document: string;
    title: string;
    /** The heading when the server couldn't be reached. */
    failed: string;
    /** What happens until the server has answered. */
    pending: string;
    retry: string;
  };
  children: (data: Data) => ReactNode;
};

/** A page that a link in an email opens. Links that are expired, used, or forged show the same page. */
export function LinkPage<Data>({ token, query, texts, children }: LinkPageProps<Data>) {
  const { data, error, isFetching, refetch } = useQuery(query);
  const { document, title, failed, pending, retry } = texts;
  if (token === '' || hasErrorCode(error, 'invalid_token')) return <InvalidLink document={document} />;
  if (data !== undefined) return children(data);
  return (
    <CardPage title={document} heading={error ? failed : title}>
      {error ? (
        <>
          <Notice kind="danger">{errorMessage(error)}</Notice>
          <Button size="wide" pending={isFetching} onClick={() => void refetch()}>
            {retry}
          </Button>
        </>
      ) : (
        <Spinner label={pending} />
      )}
    </CardPage>
  );
}

const text = newsletterMessages.invalid;

/** The same page for links that are expired, used, or forged. `document`: the title of the document. */
const InvalidLink = ({ document }: { document: string }) => (
  <CardPage title={document} heading={text.title}>
    <p role="status" className="text-muted text-sm">
      {text.text}
    </p>
    <SubscribeForm source="site" />
  </CardPage>
);
