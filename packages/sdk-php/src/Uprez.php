<?php

declare(strict_types=1);

namespace Uprez;

use InvalidArgumentException;

/** A client of the Uprez API. */
final class Uprez
{
    public readonly Jobs $jobs;
    public readonly Batches $batches;
    public readonly Events $events;
    public readonly Webhooks $webhooks;
    private readonly Transport $transport;

    /**
     * @param string|null $apiKey  default: UPREZ_API_KEY
     * @param string|null $baseUrl without /v1; default: UPREZ_URL
     * @param int         $timeout seconds without data after which a connection is closed
     */
    public function __construct(
        ?string $apiKey = null,
        ?string $baseUrl = null,
        int $maxRetries = 3,
        int $timeout = 60,
    ) {
        $apiKey = $apiKey ?? (string) getenv('UPREZ_API_KEY');
        $baseUrl = $baseUrl ?? (string) getenv('UPREZ_URL');
        if ($apiKey === '' || $baseUrl === '') {
            throw new InvalidArgumentException('Pass apiKey and baseUrl, or set UPREZ_API_KEY and UPREZ_URL.');
        }
        $this->transport = new Transport($apiKey, rtrim($baseUrl, '/'), $maxRetries, $timeout);
        $this->jobs = new Jobs($this->transport);
        $this->batches = new Batches($this->transport);
        $this->events = new Events($this->transport);
        $this->webhooks = new Webhooks($this->transport);
    }

    /**
     * Process an image (a path or an Image). Returns the job.
     *
     * A repeated call with the same idempotency key returns the same job for 24 hours. By default, each call
     * generates a key, and its retries reuse it.
     */
    public function process(
        string|Image $image,
        Options $options = new Options(),
        ?string $idempotencyKey = null,
    ): Job {
        $key = $idempotencyKey ?? bin2hex(random_bytes(16));
        return new Job($this->submit($image, $options->toFields(), ["Idempotency-Key: $key"]), $this->jobs);
    }

    /** Validate an image and its options, and estimate the result. Nothing is processed or charged. */
    public function dryRun(string|Image $image, Options $options = new Options()): DryRun
    {
        return new DryRun($this->submit($image, [...$options->toFields(), 'dry_run' => true], [])->data);
    }

    /**
     * Estimate the result and cost of an image of this size.
     *
     * @param array<string, mixed> $facts properties of the image: bytes, has_alpha, source_format, frames
     */
    public function estimate(int $width, int $height, Options $options = new Options(), array $facts = []): Estimate
    {
        $fields = $options->toFields();
        // `width` and `height` are those of the image. The size of the result goes into `target`.
        $target = array_intersect_key($fields, ['width' => 0, 'height' => 0, 'fit' => 0]);
        $rest = array_diff_key($fields, $target);
        $body = [...$rest, ...$facts, 'width' => $width, 'height' => $height, 'target' => (object) $target];
        return new Estimate($this->transport->call('POST', '/v1/estimate', body: $body)->data);
    }

    public function account(): Account
    {
        return new Account($this->transport->call('GET', '/v1/account')->data);
    }

    /** @return list<Engine> */
    public function engines(): array
    {
        $data = $this->transport->call('GET', '/v1/engines')->data['data'];
        return array_map(static fn (array $engine) => new Engine($engine), $data);
    }

    /**
     * @param array<string, string|int|float|bool> $fields
     * @param list<string>                         $headers
     */
    private function submit(string|Image $image, array $fields, array $headers): Reply
    {
        $source = is_string($image) ? Image::fromPath($image) : $image;
        $all = [...($source->filename === '' ? [] : ['filename' => $source->filename]), ...$fields];
        $sent = ['Prefer: respond-async', ...$headers];
        if ($source->url === null) {
            return $this->transport->call('POST', '/v1/process', query: $all, image: $source, headers: $sent);
        }
        $body = ['image_url' => $source->url, ...$all];
        return $this->transport->call('POST', '/v1/process', body: $body, headers: $sent);
    }
}
