<?php

declare(strict_types=1);

namespace Uprez\Exception;

/** The API returned an error. */
class ApiException extends UprezException
{
    public readonly string $detail;
    public readonly ?string $param;
    public readonly mixed $allowed;
    public readonly ?string $got;
    public readonly ?string $hint;
    public readonly int|float|null $maxScale;
    /** @var array<string, mixed> */
    public readonly array $meta;
    public readonly ?string $documentationUrl;
    public readonly ?string $requestId;
    /** Seconds to wait before the next attempt, if the service says so. */
    public ?float $retryAfter = null;

    /** @param array<string, mixed> $problem */
    final public function __construct(public readonly int $status, array $problem, ?string $requestId)
    {
        $code = (string) ($problem['code'] ?? "http_$status");
        $this->detail = (string) ($problem['detail'] ?? 'The request failed.');
        $this->param = $problem['param'] ?? null;
        $this->allowed = $problem['allowed'] ?? null;
        $this->got = $problem['got'] ?? null;
        $this->hint = $problem['hint'] ?? null;
        $this->maxScale = $problem['max_scale'] ?? null;
        $this->meta = $problem['meta'] ?? [];
        $this->documentationUrl = $problem['documentation_url'] ?? null;
        $this->requestId = $problem['request_id'] ?? $requestId;
        parent::__construct("$this->detail ($status $code)", $code);
    }

    /**
     * Make the most specific exception of a response.
     *
     * @param array<string, mixed> $problem
     */
    public static function of(int $status, array $problem, ?string $requestId): self
    {
        return match (true) {
            $status === 401 => new AuthenticationException($status, $problem, $requestId),
            $status === 402 => new QuotaExceededException($status, $problem, $requestId),
            $status === 403 => new PermissionDeniedException($status, $problem, $requestId),
            $status === 404 => new NotFoundException($status, $problem, $requestId),
            $status === 429 => new RateLimitException($status, $problem, $requestId),
            $status >= 500 => new ServerException($status, $problem, $requestId),
            default => new self($status, $problem, $requestId),
        };
    }
}
