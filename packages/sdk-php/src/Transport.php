<?php

declare(strict_types=1);

namespace Uprez;

use Uprez\Exception\ApiException;
use Uprez\Exception\ConnectionFailedException;

/**
 * Requests to the API: authentication, retries, and errors.
 *
 * @internal
 */
final class Transport
{
    private const VERSION = '0.2.0';
    private const RETRIED = [429, 500, 502, 503, 504];
    /** Longest accepted Retry-After. */
    private const MAX_WAIT_S = 60.0;
    private const JSON = 'application/json';

    private readonly \CurlHandle $handle;

    public function __construct(
        private readonly string $apiKey,
        private readonly string $baseUrl,
        private readonly int $maxRetries,
        private readonly int $timeout,
    ) {
        $this->handle = curl_init();
    }

    /**
     * Send a request and parse the response.
     *
     * @param array<string, mixed>      $query
     * @param array<string, mixed>|null $body    JSON body
     * @param list<string>              $headers
     * @param bool                      $isSafe  whether to repeat the request if its outcome is unknown
     * @param string                    $accept  content type of the response; of others than JSON, the reply has the bytes
     */
    public function call(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        ?Image $image = null,
        array $headers = [],
        bool $isSafe = true,
        string $accept = self::JSON,
    ): Reply {
        $options = [CURLOPT_CUSTOMREQUEST => $method];
        $headers[] = "Accept: $accept";
        if ($image !== null) {
            $headers[] = "Content-Type: $image->contentType";
        } elseif ($body !== null) {
            $headers[] = 'Content-Type: application/json';
            $options[CURLOPT_POSTFIELDS] = json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        }
        $options[CURLOPT_HTTPHEADER] = [...$headers, ...$this->commonHeaders()];
        $response = $this->send($this->url($path, $query), $options, $image, isSafe: $isSafe);
        if ($accept !== self::JSON) {
            return new Reply([], $response->headers, $response->status === 202 ? null : $response->body);
        }
        $data = $response->status === 204 ? [] : json_decode($response->body, true);
        if (is_array($data)) {
            return new Reply($data, $response->headers);
        }
        $detail = "The response isn't JSON. Check the base URL.";
        $problem = ['code' => 'unexpected_answer', 'detail' => $detail];
        throw ApiException::of($response->status, $problem, $response->headers['x-request-id'] ?? null);
    }

    /** Return the content of an API path or a signed URL. */
    public function read(string $location): string
    {
        return $this->fetch($location)->body;
    }

    /**
     * Download an API path or a signed URL. A file appears when it is complete. Returns the number of bytes.
     *
     * @param string|resource $target a path or an open stream
     */
    public function download(string $location, mixed $target): int
    {
        if (!is_string($target)) {
            return $this->fetch($location, $target)->written;
        }
        $partial = "$target.part";
        $file = fopen($partial, 'wb');
        if ($file === false) {
            throw new \InvalidArgumentException("Can't write to \"$target\".");
        }
        try {
            $size = $this->fetch($location, $file)->written;
            fclose($file);
            rename($partial, $target);
            return $size;
        } finally {
            if (is_file($partial)) {
                unlink($partial);
            }
        }
    }

    /** @param resource|null $sink */
    private function fetch(string $location, mixed $sink = null): Exchange
    {
        // A signed URL needs no API key, and may point to another host.
        $isSigned = str_contains($location, '://');
        $url = $isSigned ? $location : $this->url($location, []);
        $options = [
            CURLOPT_HTTPGET => true,
            CURLOPT_HTTPHEADER => $isSigned ? [] : $this->commonHeaders(),
            // A signed URL may redirect to the storage. The API key is never sent elsewhere.
            CURLOPT_FOLLOWLOCATION => $isSigned,
            CURLOPT_MAXREDIRS => 3,
        ];
        return $this->send($url, $options, sink: $sink);
    }

    /**
     * @param array<int, mixed> $options
     * @param resource|null     $sink
     */
    private function send(
        string $url,
        array $options,
        ?Image $image = null,
        mixed $sink = null,
        bool $isSafe = true,
    ): Exchange {
        for ($attempt = 0;; ++$attempt) {
            $exchange = new Exchange($sink);
            $exchange->run($this->handle, $options + $this->bodyOptions($image) + $this->commonOptions($url));
            if ($exchange->failure === '' && $exchange->isSuccess()) {
                return $exchange;
            }
            $message = "Couldn't connect to the service: $exchange->failure.";
            $exception = $exchange->failure === ''
                ? $exchange->toException()
                : new ConnectionFailedException($message, 'connection_failed');
            $isRetried = $exchange->failure === ''
                ? in_array($exchange->status, $isSafe ? self::RETRIED : [429], true)
                : $isSafe;
            $retryAfter = $exchange->headers['retry-after'] ?? null;
            $isRetried = $isRetried && $attempt < $this->maxRetries && !self::isTooLong($retryAfter);
            if (!$isRetried || !$this->canRepeat($image, $exchange, $sink)) {
                throw $exception;
            }
            Poll::sleep(self::pauseSeconds($attempt, $retryAfter));
        }
    }

    /** @param resource|null $sink */
    private function canRepeat(?Image $image, Exchange $exchange, mixed $sink): bool
    {
        if ($image?->isSpent()) {
            return false;
        }
        return $exchange->written === 0 || (rewind($sink) && ftruncate($sink, 0));
    }

    /** Remove `/v1` from the end of a URL, because paths of the API start with it. */
    public static function trimBaseUrl(string $url): string
    {
        return preg_replace('~/v1$~', '', rtrim($url, '/'));
    }

    /**
     * Seconds to wait after attempt `$attempt`, starting with 0: the value of Retry-After, or exponential backoff, with
     * jitter.
     */
    public static function pauseSeconds(int $attempt, ?string $retryAfter): float
    {
        $asked = self::readRetryAfter($retryAfter);
        if ($asked !== null) {
            return $asked + random_int(0, 250) / 1_000;
        }
        return 0.5 * 2 ** $attempt * random_int(50, 100) / 100;
    }

    /** Whether Retry-After is that of an hourly or daily limit. */
    public static function isTooLong(?string $retryAfter): bool
    {
        return (self::readRetryAfter($retryAfter) ?? 0.0) > self::MAX_WAIT_S;
    }

    /** Parse the seconds or the date of a Retry-After header. */
    public static function readRetryAfter(?string $text): ?float
    {
        if (is_numeric($text)) {
            return max((float) $text, 0.0);
        }
        $until = strtotime($text ?? '');
        return $until === false ? null : max((float) ($until - time()), 0.0);
    }

    /** @return array<int, mixed> */
    private function bodyOptions(?Image $image): array
    {
        if ($image === null) {
            return [];
        }
        [$read, $size] = $image->open();
        return [
            CURLOPT_UPLOAD => true,
            CURLOPT_READFUNCTION => static fn ($_, mixed $__, int $length): string => $read($length),
            CURLOPT_INFILESIZE => $size ?? -1,
        ];
    }

    /** @return array<int, mixed> */
    private function commonOptions(string $url): array
    {
        return [
            CURLOPT_URL => $url,
            CURLOPT_USERAGENT => 'uprez-php/' . self::VERSION,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_CONNECTTIMEOUT => $this->timeout,
            // Stop after this many seconds without data.
            CURLOPT_LOW_SPEED_LIMIT => 1,
            CURLOPT_LOW_SPEED_TIME => $this->timeout,
        ];
    }

    /** @return list<string> */
    private function commonHeaders(): array
    {
        // An empty Expect header avoids the round trip of "100-continue".
        return ["Authorization: Bearer $this->apiKey", 'Expect:'];
    }

    /** @param array<string, mixed> $query */
    private function url(string $path, array $query): string
    {
        $texts = self::makeTexts($query);
        return $this->baseUrl . $path . ($texts === [] ? '' : '?' . http_build_query($texts));
    }

    /**
     * @param array<string, mixed> $fields
     *
     * @return array<string, string>
     */
    public static function makeTexts(array $fields): array
    {
        $given = array_filter($fields, static fn (mixed $value) => $value !== null);
        return array_map(static fn (mixed $value) => match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            $value instanceof \DateTimeInterface => $value->format(\DATE_RFC3339_EXTENDED),
            default => (string) $value,
        }, $given);
    }
}
