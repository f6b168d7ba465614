<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeImmutable;

/** A webhook endpoint. */
final class WebhookEndpoint
{
    public readonly string $id;
    /** `endpoint`, or `jobs` for the `webhook_url` of individual jobs. */
    public readonly string $kind;
    public readonly ?string $url;
    public readonly string $description;
    /** @var list<string> types of events to send; an empty list means all types */
    public readonly array $events;
    public readonly bool $sandbox;
    public readonly bool $isActive;
    public readonly ?string $disabledReason;
    public readonly ?DateTimeImmutable $disabledAt;
    public readonly ?DateTimeImmutable $failingSince;
    public readonly ?DateTimeImmutable $lastDeliveredAt;
    /** Until then, deliveries are also signed with the previous secret. */
    public readonly ?DateTimeImmutable $formerSecretUntil;
    public readonly DateTimeImmutable $createdAt;
    /** Only after `create` and `rotate`. It isn't shown again. */
    public readonly ?string $secret;

    /**
     * @internal
     *
     * @param array<string, mixed> $raw all fields of the response
     */
    public function __construct(public readonly array $raw)
    {
        $this->id = $raw['id'];
        $this->kind = $raw['kind'];
        $this->url = $raw['url'];
        $this->description = $raw['description'];
        $this->events = $raw['events'];
        $this->sandbox = $raw['sandbox'];
        $this->isActive = $raw['is_active'];
        $this->disabledReason = $raw['disabled_reason'];
        $this->disabledAt = Time::parse($raw['disabled_at']);
        $this->failingSince = Time::parse($raw['failing_since']);
        $this->lastDeliveredAt = Time::parse($raw['last_delivered_at']);
        $this->formerSecretUntil = Time::parse($raw['former_secret_until']);
        $this->createdAt = new DateTimeImmutable($raw['created_at']);
        $this->secret = $raw['secret'] ?? null;
    }
}
