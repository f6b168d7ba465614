<?php

declare(strict_types=1);

namespace Uprez;

use Uprez\Exception\ApiException;

/**
 * A single HTTP request with curl. The body of a successful response can go to a stream.
 *
 * @internal
 */
final class Exchange
{
    public int $status = 0;
    public string $body = '';
    /** Bytes written to the stream. */
    public int $written = 0;
    /** @var array<string, string> */
    public array $headers = [];
    /** Error of the connection; empty if the response is complete. */
    public string $failure = '';

    /** @param resource|null $sink stream for the body of a successful response */
    public function __construct(private readonly mixed $sink)
    {
    }

    /** @param array<int, mixed> $options */
    public function run(\CurlHandle $handle, array $options): void
    {
        // Resetting the handle keeps the connection open.
        curl_reset($handle);
        curl_setopt_array($handle, $options + [
            CURLOPT_HEADERFUNCTION => fn ($_, string $line): int => $this->readHeader($line),
            CURLOPT_WRITEFUNCTION => fn ($_, string $chunk): int => $this->readBody($chunk),
        ]);
        if (curl_exec($handle) === false) {
            $this->failure = curl_error($handle) ?: 'the connection was interrupted';
        }
        $this->status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
    }

    public function isSuccess(): bool
    {
        return $this->status >= 200 && $this->status < 300;
    }

    public function toException(): ApiException
    {
        $problem = json_decode($this->body, true);
        $requestId = $this->headers['x-request-id'] ?? null;
        $exception = ApiException::of($this->status, is_array($problem) ? $problem : [], $requestId);
        $exception->retryAfter = Transport::readRetryAfter($this->headers['retry-after'] ?? null);
        return $exception;
    }

    private function readHeader(string $line): int
    {
        if (preg_match('/^HTTP\/\S+ (\d+)/', $line, $found) === 1) {
            $this->status = (int) $found[1];
            $this->headers = [];
        } elseif (str_contains($line, ':')) {
            [$name, $value] = explode(':', $line, 2);
            $this->headers[strtolower($name)] = trim($value);
        }
        return strlen($line);
    }

    private function readBody(string $chunk): int
    {
        if ($this->sink === null || !$this->isSuccess()) {
            $this->body .= $chunk;
            return strlen($chunk);
        }
        $size = (int) fwrite($this->sink, $chunk);
        $this->written += $size;
        return $size;
    }
}
