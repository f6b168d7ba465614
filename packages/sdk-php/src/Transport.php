<?php

declare(strict_types=1);

namespace Uprez;

use Uprez\Exception\ApiException;
use Uprez\Exception\ConnectionFailedException;

/**
 * Calls of the API: the key, retries, errors.
 *
 * @internal
 */
final class Transport
{
    private const VERSION = '0.1.0';
    private const RETRIED = [429, 500, 502, 503, 504];
    private const LONGEST_WAIT_S = 60.0;

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
     * A call that is answered with JSON.
     *
     * @param array<string, mixed>      $query
     * @param array<string, mixed>|null $body    sent as JSON
     * @param list<string>              $headers
     */
    public function call(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        ?Image $image = null,
        array $headers = [],
    ): Reply {
        $options = [CURLOPT_CUSTOMREQUEST => $method];
        $headers[] = 'Accept: application/json';
        if ($image !== null) {
            $headers[] = 'Content-Type: application/octet-stream';
        } elseif ($body !== null) {
            $headers[] = 'Content-Type: application/json';
            $options[CURLOPT_POSTFIELDS] = json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
        }
        $options[CURLOPT_HTTPHEADER] = [...$headers, ...$this->ownHeaders()];
        $answer = $this->send($this->address($path, $query), $options, $image, null);
        $data = json_decode($answer->body, true);
        if (is_array($data)) {
            return new Reply($data, $answer->headers);
        }
        $detail = 'The answer is no JSON: is this the address of the API?';
        $problem = ['code' => 'unexpected_answer', 'detail' => $detail];
        throw ApiException::of($answer->status, $problem, $answer->headers['x-request-id'] ?? null);
    }

    /**
     * Stream what lies at a path of the API or a signed link into a file, which appears once it is whole; its bytes.
     *
     * @param string|resource $target a path or an open stream
     */
    public function download(string $address, mixed $target): int
    {
        // A signed link needs no key, and may lead to another host.
        $isLink = str_contains($address, '://');
        $url = $isLink ? $address : $this->address($address, []);
        $options = [CURLOPT_HTTPGET => true, CURLOPT_HTTPHEADER => $isLink ? [] : $this->ownHeaders()];
        if (!is_string($target)) {
            return $this->send($url, $options, null, $target)->written;
        }
        $partial = "$target.part";
        $file = fopen($partial, 'wb');
        if ($file === false) {
            throw new \InvalidArgumentException("\"$target\" cannot be written.");
        }
        try {
            $size = $this->send($url, $options, null, $file)->written;
            fclose($file);
            rename($partial, $target);
            return $size;
        } finally {
            if (is_file($partial)) {
                unlink($partial);
            }
        }
    }

    /**
     * @param array<int, mixed> $options
     * @param resource|null     $sink
     */
    private function send(string $url, array $options, ?Image $image, mixed $sink): Exchange
    {
        for ($attempt = 0; ; ++$attempt) {
            $exchange = new Exchange($sink);
            $exchange->run($this->handle, $options + $this->bodyOptions($image) + $this->commonOptions($url));
            if ($exchange->failure === '' && $exchange->isGood()) {
                return $exchange;
            }
            $exception = $exchange->failure === ''
                ? $exchange->toException()
                : new ConnectionFailedException("No answer came: $exchange->failure.", 'connection_failed');
            $isRetried = $exchange->failure !== '' || in_array($exchange->status, self::RETRIED, true);
            if (!$isRetried || $attempt >= $this->maxRetries || !$this->canRepeat($image, $exchange, $sink)) {
                throw $exception;
            }
            Poll::sleep(self::pauseSeconds($attempt, $exchange->headers['retry-after'] ?? null));
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

    /**
     * Seconds to wait after a failed attempt, counted from 0: what the answer asks for, else longer each time.
     */
    public static function pauseSeconds(int $attempt, ?string $retryAfter): float
    {
        $asked = is_numeric($retryAfter) ? $retryAfter + time() : strtotime($retryAfter ?? '');
        if ($asked !== false) {
            return min(max((float) ($asked - time()), 0.0), self::LONGEST_WAIT_S);
        }
        return 0.5 * 2 ** $attempt * random_int(50, 100) / 100;
    }

    /** @return array<int, mixed> */
    private function bodyOptions(?Image $image): array
    {
        if ($image === null) {
            return [];
        }
        [$stream, $size] = $image->open();
        return [CURLOPT_UPLOAD => true, CURLOPT_INFILE => $stream, CURLOPT_INFILESIZE => $size ?? -1];
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
            // So many seconds without a byte.
            CURLOPT_LOW_SPEED_LIMIT => 1,
            CURLOPT_LOW_SPEED_TIME => $this->timeout,
        ];
    }

    /** @return list<string> */
    private function ownHeaders(): array
    {
        // No "Expect: 100-continue": it costs a round trip.
        return ["Authorization: Bearer $this->apiKey", 'Expect:'];
    }

    /** @param array<string, mixed> $query */
    private function address(string $path, array $query): string
    {
        $given = array_filter($query, static fn (mixed $value) => $value !== null);
        $texts = array_map(static fn (mixed $value) => match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            $value instanceof \DateTimeInterface => $value->format(\DATE_RFC3339_EXTENDED),
            default => (string) $value,
        }, $given);
        return $this->baseUrl . $path . ($texts === [] ? '' : '?' . http_build_query($texts));
    }
}
