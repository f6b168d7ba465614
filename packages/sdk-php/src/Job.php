<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeImmutable;

/** A job processes one image. Immutable: methods return a new object. */
final class Job
{
    /** @var array<string, mixed> all fields of the response */
    public readonly array $raw;
    public readonly string $id;
    public readonly string $status;
    public readonly int $progress;
    public readonly ?int $queuePosition;
    public readonly string $filename;
    public readonly float $scaleFactor;
    public readonly string $format;
    public readonly int $quality;
    public readonly string $engine;
    public readonly Size $originalSize;
    public readonly ?Size $processedSize;
    public readonly ?float $processingTime;
    public readonly ?float $fidelity;
    public readonly ?string $downloadUrl;
    public readonly DateTimeImmutable $createdAt;
    public readonly ?DateTimeImmutable $expiresAt;
    public readonly bool $sandbox;
    /** @var list<string> */
    public readonly array $notes;
    public readonly ?Failure $error;
    /** Credits that the job costs; 0 if it failed, was canceled free of charge, or isn't charged. */
    public readonly int $credits;
    /** Until then, canceling is free. Null unless the job is processing. */
    public readonly ?DateTimeImmutable $freeCancelUntil;
    /**
     * Credits charged for the request. They are refunded if the job fails or is free. Null unless the request created
     * the job.
     */
    public readonly ?int $creditsCharged;
    /** Whether the result is a copy of a stored result, at no charge. False until the job is completed. */
    public readonly bool $cached;
    private readonly float $fetchedAt;

    /** @internal */
    public function __construct(Reply $reply, private readonly Jobs $jobs)
    {
        $data = $reply->data;
        $this->raw = $data;
        $this->id = $data['id'];
        $this->status = $data['status'];
        $this->progress = $data['progress'];
        $this->queuePosition = $data['queue_position'] ?? null;
        $this->filename = $data['filename'];
        $this->scaleFactor = (float) $data['scale_factor'];
        $this->format = $data['format'];
        $this->quality = $data['quality'];
        $this->engine = $data['engine'];
        $this->originalSize = Size::of($data['original_size']);
        $this->processedSize = Size::of($data['processed_size']);
        $this->processingTime = isset($data['processing_time']) ? (float) $data['processing_time'] : null;
        $this->fidelity = isset($data['fidelity']) ? (float) $data['fidelity'] : null;
        $this->downloadUrl = $data['download_url'];
        $this->createdAt = new DateTimeImmutable($data['created_at']);
        $this->expiresAt = Time::parse($data['expires_at'] ?? null);
        $this->sandbox = $data['sandbox'];
        $this->notes = $data['notes'];
        $this->error = Failure::of($data['error'] ?? null);
        $this->credits = $data['credits'];
        $this->freeCancelUntil = Time::parse($data['free_cancel_until'] ?? null);
        $this->creditsCharged = $reply->charged();
        $this->cached = $data['cached'] ?? false;
        $this->fetchedAt = hrtime(true) / 1e9;
    }

    public function isFinal(): bool
    {
        return !in_array($this->status, ['queued', 'processing'], true);
    }

    /**
     * Wait until the job is completed.
     *
     * @throws Exception\JobFailedException
     * @throws Exception\WaitTimeoutException after `$timeout` seconds
     */
    public function waitFor(float $timeout = 600): self
    {
        return $this->jobs->waitFor($this, $timeout);
    }

    public function refresh(): self
    {
        return $this->jobs->get($this->id);
    }

    /**
     * Download the result. Returns the number of bytes.
     *
     * @param string|resource $target a path or an open stream
     */
    public function download(mixed $target): int
    {
        return $this->jobs->download($this, $target);
    }

    /** Return the bytes of the result. */
    public function result(): string
    {
        return $this->jobs->result($this);
    }

    /**
     * Return the result as a readable stream. Large results are in a temporary file, not in memory.
     *
     * @return resource
     */
    public function stream(): mixed
    {
        return $this->jobs->stream($this);
    }

    public function cancel(): self
    {
        return $this->jobs->cancel($this->id);
    }

    public function delete(): self|Deletion
    {
        return $this->jobs->delete($this->id);
    }

    /**
     * Seconds since the response.
     *
     * @internal
     */
    public function age(): float
    {
        return hrtime(true) / 1e9 - $this->fetchedAt;
    }
}
