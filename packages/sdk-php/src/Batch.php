<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeImmutable;

/** A batch of images with the same options. Immutable: methods return a new object. */
final class Batch
{
    /** @var array<string, mixed> */
    public readonly array $raw;
    public readonly string $id;
    public readonly string $status;
    public readonly int $progress;
    /** @var array<string, int> */
    public readonly array $counts;
    public readonly bool $sandbox;
    public readonly DateTimeImmutable $createdAt;
    public readonly DateTimeImmutable $expiresAt;
    /** @var list<BatchItem> */
    public readonly array $items;

    /** @internal */
    public function __construct(
        Reply $reply,
        private readonly Batches $batches,
        /**
         * Credits charged for the request. They are refunded for images that fail or are free. Null unless the request
         * created the batch.
         */
        public readonly ?int $creditsCharged = null,
    ) {
        $data = $reply->data;
        $this->raw = $data;
        $this->id = $data['id'];
        $this->status = $data['status'];
        $this->progress = $data['progress'];
        $this->counts = $data['counts'];
        $this->sandbox = $data['sandbox'];
        $this->createdAt = new DateTimeImmutable($data['created_at']);
        $this->expiresAt = new DateTimeImmutable($data['expires_at']);
        $this->items = array_map(static fn (array $item) => new BatchItem($item), $data['items']);
    }

    public function isFinal(): bool
    {
        return $this->status !== 'active';
    }

    /**
     * Wait until all items have ended.
     *
     * @throws Exception\WaitTimeoutException after `$timeout` seconds
     */
    public function waitFor(float $timeout = 3600): self
    {
        return $this->batches->waitFor($this, $timeout);
    }

    public function refresh(): self
    {
        return $this->batches->get($this->id);
    }

    /** Cancel the unfinished items. Items that have been processing for a while are charged. */
    public function cancel(): self
    {
        return $this->batches->cancel($this->id);
    }

    /** Retry the failed items, optionally with another engine. */
    public function retry(?string $engine = null): self
    {
        return $this->batches->retry($this->id, $engine);
    }

    /**
     * Download all results so far as a ZIP archive. Returns the number of bytes.
     *
     * @param string|resource $target a path or an open stream
     * @param string|null     $name   pattern for the file names
     */
    public function downloadZip(mixed $target, ?string $name = null): int
    {
        return $this->batches->downloadZip($this->id, $target, $name);
    }
}
