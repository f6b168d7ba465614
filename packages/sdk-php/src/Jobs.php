<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeInterface;
use Generator;
use Uprez\Exception\JobFailedException;

/** Jobs. */
final class Jobs
{
    /** Download URLs expire after 15 minutes. Older ones are not used. */
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
     * Return a page of jobs, newest first.
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
     * Iterate over all jobs, newest first.
     *
     * @param int|null $limit jobs per page
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
     * Cancel an unfinished job.
     *
     * @throws JobFailedException if the job is finished; its result is kept
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

    /** Delete the files of a finished job, or cancel an unfinished job. */
    public function delete(string $id): Job|Deletion
    {
        $reply = $this->transport->call('DELETE', "/v1/jobs/$id");
        return isset($reply->data['deleted_at']) ? new Deletion($reply->data) : new Job($reply, $this);
    }

    /**
     * Wait until the job is completed.
     *
     * @throws JobFailedException
     * @throws Exception\WaitTimeoutException after `$timeout` seconds
     */
    public function waitFor(Job $job, float $timeout = 600): Job
    {
        $done = Poll::until($job, fn () => $this->get($job->id), $timeout);
        return $done->status === 'completed' ? $done : throw new JobFailedException($done);
    }

    /**
     * Download the result. Returns the number of bytes.
     *
     * @param string|resource $target a path or an open stream
     */
    public function download(Job $job, mixed $target): int
    {
        return $this->transport->download($this->locate($job), $target);
    }

    /** Return the bytes of the result. */
    public function result(Job $job): string
    {
        return $this->transport->read($this->locate($job));
    }

    /**
     * Return the result as a readable stream. Large results are in a temporary file, not in memory.
     *
     * @return resource
     */
    public function stream(Job $job): mixed
    {
        $stream = fopen('php://temp', 'w+b');
        $this->download($job, $stream);
        rewind($stream);
        return $stream;
    }

    /** The download URL, or the path of the result. */
    private function locate(Job $job): string
    {
        if ($job->downloadUrl !== null && $job->age() < self::LINK_AGE_S) {
            return $job->downloadUrl;
        }
        $hasNone = in_array($job->status, ['failed', 'cancelled'], true);
        return $hasNone ? throw new JobFailedException($job) : "/v1/jobs/$job->id/result";
    }
}
