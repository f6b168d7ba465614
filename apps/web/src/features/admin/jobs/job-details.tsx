import { errorCodes, isErrorCode } from '@uprez/contracts/errors/error-codes';
import type { AdminJobDetails } from '@uprez/contracts/schemas/admin-jobs';
import { Link } from 'react-router';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { LedgerTable } from '../../../ui/ledger/ledger-table.tsx';
import { ReceiptDetails, receiptFacts } from '../../../ui/receipt/receipt-dialogs.tsx';
import { linkStyle } from './cells.tsx';
import { AttemptFacts, JobFacts } from './job-facts.tsx';
import { jobMessages as text } from './job-messages.ts';
import { jobsOf } from './links.ts';

/** The error that ended a job, in words and with its code. */
function ErrorNotice({ code, detail }: { code: string; detail: string | null }) {
  return (
    <Notice kind="danger">
      <p>{detail ?? (isErrorCode(code) ? errorCodes[code].title : text.error.title)}</p>
      <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
        <code className="text-xs">{code}</code>
        <Link to={jobsOf({ error: code })} className={linkStyle}>
          {text.error.all}
        </Link>
      </p>
    </Notice>
  );
}

/** All that is known about a job. `now`: when it was loaded, in milliseconds. */
export function JobDetails({ job, now }: { job: AdminJobDetails; now: number }) {
  const { id, errorCode, errorDetail, receipt, ledger } = job;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {errorCode && <ErrorNotice code={errorCode} detail={errorDetail} />}
      <JobFacts job={job} now={now} />
      <AttemptFacts job={job} />
      <Card title={text.ledger.title}>
        {ledger.length > 0 ? (
          <LedgerTable rows={ledger.toReversed()} />
        ) : (
          <p className="text-muted text-sm">{text.ledger.none}</p>
        )}
      </Card>
      <Card title={text.receipt.title}>
        {receipt ? (
          <ReceiptDetails facts={receiptFacts(receipt)} receipt={receipt} filename={`receipt-${id}.json`} />
        ) : (
          <p className="text-muted text-sm">{text.receipt.none}</p>
        )}
      </Card>
    </div>
  );
}
