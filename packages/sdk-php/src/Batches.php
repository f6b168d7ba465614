<?php

declare(strict_types=1);

namespace Uprez;

use Uprez\Exception\ApiException;

/** Batches: many images that are processed alike. */
final class Batches
{
    /** Refusals of one file, with which the batch goes on. */
    private const OF_A_FILE = [400, 409, 413, 415, 422];

    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Announce a batch and upload its files; images by address are fetched. A file that is refused fails alone.
     *
     * @param list<string|Image> $images paths, or images with names
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
            $address = $image->url === null ? [] : ['image_url' => $image->url];
            $items[] = ['client_id' => (string) $at, ...$name, ...$address];
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
            if (!in_array($exception->status, self::OF_A_FILE, true)) {
                throw $exception;
            }
        }
    }

    /** Send the file that an item waits for. */
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

    /** Try the failed files again, perhaps with another engine. */
    public function retry(string $id, ?string $engine = null): Batch
    {
        $body = $engine === null ? [] : ['engine' => $engine];
        $reply = $this->transport->call('POST', "/v1/batches/$id/retry", body: $body);
        return new Batch($reply, $this, $reply->charged());
    }

    /**
     * The finished batch, whatever became of its files.
     *
     * @throws Exception\WaitTimeoutException after so many seconds
     */
    public function waitFor(Batch $batch, float $timeout = 3600): Batch
    {
        return Poll::until($batch, fn () => $this->get($batch->id), $timeout);
    }

    /**
     * Stream all results so far into one archive; its bytes.
     *
     * @param string|resource $target a path or an open stream
     * @param string|null     $name   a pattern of the names inside
     */
    public function downloadZip(string $id, mixed $target, ?string $name = null): int
    {
        $query = $name === null ? '' : '?' . http_build_query(['name' => $name]);
        return $this->transport->download("/v1/batches/$id/zip$query", $target);
    }
}
