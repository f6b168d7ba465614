<?php

declare(strict_types=1);

namespace Uprez;

use InvalidArgumentException;

/** A client of the Uprez API. */
final class Uprez
{
    /** Seconds for which a request for an image waits. Shorter than the timeouts of most proxies. */
    private const IMAGE_WAIT_S = 50;

    public readonly Jobs $jobs;
    public readonly Batches $batches;
    public readonly Events $events;
    public readonly Webhooks $webhooks;
    private readonly Transport $transport;

    /**
     * @param string|null $apiKey  default: UPREZ_API_KEY
     * @param string|null $baseUrl with or without /v1; default: UPREZ_URL
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
        $this->transport = new Transport($apiKey, Transport::trimBaseUrl($baseUrl), $maxRetries, $timeout);
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

    /**
     * Process an image and return the bytes of the result, in one request unless the image takes longer than that waits.
     *
     * @param float $timeout seconds until a WaitTimeoutException
     */
    public function processImage(
        string|Image $image,
        Options $options = new Options(),
        ?string $idempotencyKey = null,
        float $timeout = 600.0,
    ): string {
        $key = $idempotencyKey ?? bin2hex(random_bytes(16));
        $headers = ['Prefer: wait=' . self::IMAGE_WAIT_S, "Idempotency-Key: $key"];
        $reply = $this->submit($image, $options->toFields(), $headers, 'image/*');
        return $reply->bytes
            ?? $this->jobs->get((string) $reply->header('x-job-id'))->waitFor($timeout)->result();
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
    private function submit(
        string|Image $image,
        array $fields,
        array $headers,
        string $accept = 'application/json',
    ): Reply {
        $source = is_string($image) ? Image::fromPath($image) : $image;
        $all = [...($source->filename === '' ? [] : ['filename' => $source->filename]), ...$fields];
        $sent = $accept === 'image/*' ? $headers : ['Prefer: respond-async', ...$headers];
        $call = ['headers' => $sent, 'accept' => $accept];
        if ($source->url === null && isset($fields['mask'])) {
            $form = $source->inForm(Transport::makeTexts($fields));
            return $this->transport->call('POST', '/v1/process', ...$call, image: $form);
        }
        if ($source->url === null) {
            return $this->transport->call('POST', '/v1/process', ...$call, query: $all, image: $source);
        }
        $body = ['image_url' => $source->url, ...$all];
        return $this->transport->call('POST', '/v1/process', ...$call, body: $body);
    }
}
