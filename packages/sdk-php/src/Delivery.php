<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeImmutable;

/** A delivery of an event to a webhook endpoint. */
final class Delivery
{
    public readonly string $id;
    public readonly string $eventId;
    public readonly string $eventType;
    public readonly string $subject;
    public readonly string $url;
    /** `pending`, `delivered`, or `failed`. */
    public readonly string $status;
    public readonly int $attempts;
    public readonly ?int $responseStatus;
    /** @var array{code: string, message: string}|null error of the last attempt */
    public readonly ?array $error;
    public readonly DateTimeImmutable $createdAt;
    public readonly ?DateTimeImmutable $lastAttemptAt;
    public readonly ?DateTimeImmutable $nextAttemptAt;
    /** Request body. Null in lists. */
    public readonly ?string $body;
    /** @var list<DeliveryAttempt> attempts, oldest first; empty in lists */
    public readonly array $attemptLog;

    /**
     * @internal
     *
     * @param array<string, mixed> $raw all fields of the response
     */
    public function __construct(public readonly array $raw)
    {
        $this->id = $raw['id'];
        $this->eventId = $raw['event_id'];
        $this->eventType = $raw['event_type'];
        $this->subject = $raw['subject'];
        $this->url = $raw['url'];
        $this->status = $raw['status'];
        $this->attempts = $raw['attempts'];
        $this->responseStatus = $raw['response_status'];
        $this->error = $raw['error'];
        $this->createdAt = new DateTimeImmutable($raw['created_at']);
        $this->lastAttemptAt = Time::parse($raw['last_attempt_at']);
        $this->nextAttemptAt = Time::parse($raw['next_attempt_at']);
        $this->body = $raw['body'] ?? null;
        $this->attemptLog = array_map(static fn (array $one) => new DeliveryAttempt($one), $raw['attempt_log'] ?? []);
    }
}
