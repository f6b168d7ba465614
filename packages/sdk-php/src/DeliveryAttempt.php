<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeImmutable;

/** One attempt to deliver an event. */
final class DeliveryAttempt
{
    public readonly int $number;
    public readonly DateTimeImmutable $at;
    public readonly int $durationMs;
    public readonly ?int $responseStatus;
    /** Start of the response body. Kept only for the last 2 attempts, otherwise null. */
    public readonly ?string $responseBody;
    /** @var array{code: string, message: string}|null */
    public readonly ?array $error;

    /**
     * @internal
     *
     * @param array<string, mixed> $data
     */
    public function __construct(array $data)
    {
        $this->number = $data['number'];
        $this->at = new DateTimeImmutable($data['at']);
        $this->durationMs = $data['duration_ms'];
        $this->responseStatus = $data['response_status'];
        $this->responseBody = $data['response_body'];
        $this->error = $data['error'];
    }
}
