<?php

declare(strict_types=1);

namespace Uprez\Exception;

use Uprez\Job;

/** A job failed, was canceled, or has no result. */
final class JobFailedException extends UprezException
{
    public function __construct(public readonly Job $job)
    {
        $code = $job->error?->code ?? match ($job->status) {
            'cancelled' => 'cancelled',
            'expired' => 'result_expired',
            'failed' => 'internal',
            default => 'job_not_finished',
        };
        parent::__construct($job->error?->message ?? "Job $job->id is $job->status.", $code);
    }
}
