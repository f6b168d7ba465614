<?php

declare(strict_types=1);

namespace Uprez;

use Uprez\Exception\ApiException;

/** Batches of images with the same options. */
final class Batches
{
    /** Statuses that reject a single file. */
    private const FILE_ERRORS = [400, 409, 413, 415, 422];

    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Create a batch and upload its files. Images by URL are fetched. A rejected file fails its own item only.
     *
     * @param list<string|Image> $images paths or images
     */
    public function process(
        array $images,
        Options $options = new Options(),
        bool $acceptPartial = false,
        ?string $idempotencyKey = null,
    ): Batch {
        $all = array_map(static fn (string|Image $one) => is_string($one) ? Image::fromPath($one) : $one, $images);
        $items = [];
        foreach ($all as $at => $image) {
            $name = $image->filename === '' ? [] : ['name' => $image->filename];
            $url = $image->url === null ? [] : ['image_url' => $image->url];
            $target = $image->targetUrl === null ? [] : ['target_url' => $image->targetUrl];
            $items[] = ['client_id' => (string) $at, ...$name, ...$url, ...$target];
        }
        $body = ['items' => $items, 'recipe' => (object) $options->toFields(), 'accept_partial' => $acceptPartial];
        $headers = ['Idempotency-Key: ' . ($idempotencyKey ?? bin2hex(random_bytes(16)))];
        $reply = $this->transport->call('POST', '/v1/batches', body: $body, headers: $headers);
        $batch = new Batch($reply, $this);
        foreach ($batch->items as $item) {
            $image = $all[(int) $item->clientId];
            if ($item->status === 'waiting' && $image->url === null) {
                $this->tryUpload($batch->id, $item->id, $image);
            }
        }
        return new Batch($this->transport->call('GET', "/v1/batches/$batch->id"), $this, $reply->charged());
    }

    private function tryUpload(string $batchId, string $itemId, Image $image): void
    {
        try {
            $this->upload($batchId, $itemId, $image);
        } catch (ApiException $exception) {
            if (!in_array($exception->status, self::FILE_ERRORS, true)) {
                throw $exception;
            }
        }
    }

    /** Upload the file for an item. */
    public function upload(string $batchId, string $itemId, string|Image $image): BatchItem
    {
        $source = is_string($image) ? Image::fromPath($image) : $image;
        return new BatchItem($this->transport->call('PUT', "/v1/batches/$batchId/items/$itemId", image: $source)->data);
    }

    public function get(string $id): Batch
    {
        return new Batch($this->transport->call('GET', "/v1/batches/$id"), $this);
    }

    public function cancel(string $id): Batch
    {
        return new Batch($this->transport->call('POST', "/v1/batches/$id/cancel"), $this);
    }

    /** Retry the failed items, optionally with another engine. */
    public function retry(string $id, ?string $engine = null): Batch
    {
        $body = $engine === null ? [] : ['engine' => $engine];
        $reply = $this->transport->call('POST', "/v1/batches/$id/retry", body: $body);
        return new Batch($reply, $this, $reply->charged());
    }

    /**
     * Wait until all items have ended.
     *
     * @throws Exception\WaitTimeoutException after `$timeout` seconds
     */
    public function waitFor(Batch $batch, float $timeout = 3600): Batch
    {
        return Poll::until($batch, fn () => $this->get($batch->id), $timeout);
    }

    /**
     * Download all results so far as a ZIP archive. Returns the number of bytes.
     *
     * @param string|resource $target a path or an open stream
     * @param string|null     $name   pattern for the file names
     */
    public function downloadZip(string $id, mixed $target, ?string $name = null): int
    {
        $query = $name === null ? '' : '?' . http_build_query(['name' => $name]);
        return $this->transport->download("/v1/batches/$id/zip$query", $target);
    }
}
