<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeInterface;
use Generator;
use Uprez\Exception\JobFailedException;

/** Jobs: looking them up, waiting for them, ending them. */
final class Jobs
{
    /** Links live for 15 minutes; an older one is asked for again. */
    private const LINK_AGE_S = 600;

    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    public function get(string $id): Job
    {
        return new Job($this->transport->call('GET', "/v1/jobs/$id"), $this);
    }

    /**
     * One page of the account's jobs, newest first.
     *
     * @return Page<Job>
     */
    public function list(
        ?string $status = null,
        ?DateTimeInterface $createdAfter = null,
        ?DateTimeInterface $createdBefore = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): Page {
        $data = $this->transport->call('GET', '/v1/jobs', [
            'status' => $status,
            'created_after' => $createdAfter,
            'created_before' => $createdBefore,
            'limit' => $limit,
            'cursor' => $cursor,
        ])->data;
        $jobs = array_map(fn (array $job) => new Job(new Reply($job), $this), $data['data']);
        return new Page($jobs, $data['next_cursor']);
    }

    /**
     * All jobs, newest first, asked for page by page.
     *
     * @param int|null $limit of one page
     *
     * @return Generator<int, Job>
     */
    public function iterate(
        ?string $status = null,
        ?DateTimeInterface $createdAfter = null,
        ?DateTimeInterface $createdBefore = null,
        ?int $limit = null,
    ): Generator {
        $cursor = null;
        do {
            $page = $this->list($status, $createdAfter, $createdBefore, $limit, $cursor);
            foreach ($page->data as $job) {
                yield $job;
            }
            $cursor = $page->nextCursor;
        } while ($cursor !== null);
    }

    /**
     * End a job that is not finished.
     *
     * @throws JobFailedException for one that is; its result is not deleted
     */
    public function cancel(string $id): Job
    {
        $job = $this->get($id);
        if ($job->isFinal()) {
            throw new JobFailedException($job);
        }
        $ended = $this->delete($id);
        return $ended instanceof Job ? $ended : $this->get($id);
    }

    /** Remove a finished job's files now, or cancel one that is not finished. */
    public function delete(string $id): Job|Deletion
    {
        $reply = $this->transport->call('DELETE', "/v1/jobs/$id");
        return isset($reply->data['deleted_at']) ? new Deletion($reply->data) : new Job($reply, $this);
    }

    /**
     * The finished job.
     *
     * @throws JobFailedException
     * @throws Exception\WaitTimeoutException after so many seconds
     */
    public function waitFor(Job $job, float $timeout = 600): Job
    {
        $done = Poll::until($job, fn () => $this->get($job->id), $timeout);
        return $done->status === 'completed' ? $done : throw new JobFailedException($done);
    }

    /**
     * Stream the result into a file; its bytes.
     *
     * @param string|resource $target a path or an open stream
     */
    public function download(Job $job, mixed $target): int
    {
        if ($job->downloadUrl === null || $job->age() > self::LINK_AGE_S) {
            $job = $this->get($job->id);
        }
        return $this->transport->download($job->downloadUrl ?? throw new JobFailedException($job), $target);
    }
}
