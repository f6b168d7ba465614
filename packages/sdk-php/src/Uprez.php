<?php

declare(strict_types=1);

namespace Uprez;

use InvalidArgumentException;

/** Calls the Uprez API. */
final class Uprez
{
    public readonly Jobs $jobs;
    public readonly Batches $batches;
    public readonly Events $events;
    private readonly Transport $transport;

    /**
     * @param string|null $apiKey  else from UPREZ_API_KEY
     * @param string|null $baseUrl the address without /v1, else from UPREZ_URL
     * @param int         $timeout seconds without a byte before a connection is given up
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
            throw new InvalidArgumentException('Give apiKey and baseUrl, or set UPREZ_API_KEY and UPREZ_URL.');
        }
        $this->transport = new Transport($apiKey, rtrim($baseUrl, '/'), $maxRetries, $timeout);
        $this->jobs = new Jobs($this->transport);
        $this->batches = new Batches($this->transport);
        $this->events = new Events($this->transport);
    }

    /**
     * Send an image (its path, or an Image), and get the job that it became.
     *
     * Repeating it within a day with the same idempotency key makes nothing twice; retries within this call have one of
     * their own.
     */
    public function process(
        string|Image $image,
        Options $options = new Options(),
        ?string $idempotencyKey = null,
    ): Job {
        $key = $idempotencyKey ?? bin2hex(random_bytes(16));
        return new Job($this->submit($image, $options->toFields(), ["Idempotency-Key: $key"]), $this->jobs);
    }

    /** Check everything about an image and tell what would be made; nothing is made or charged. */
    public function dryRun(string|Image $image, Options $options = new Options()): DryRun
    {
        return new DryRun($this->submit($image, [...$options->toFields(), 'dry_run' => true], [])->data);
    }

    /**
     * What an image of this size would become and cost.
     *
     * @param array<string, mixed> $facts more of the image: bytes, has_alpha, source_format, frames
     */
    public function estimate(int $width, int $height, Options $options = new Options(), array $facts = []): Estimate
    {
        $fields = $options->toFields();
        // Here width and height are the image's: those that are wanted go apart.
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
