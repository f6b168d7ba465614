<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeImmutable;

/** An event of the event feed and of webhooks. */
final class Event
{
    public readonly string $id;
    public readonly string $type;
    public readonly DateTimeImmutable $timestamp;
    public readonly bool $sandbox;
    /** @var array<string, mixed> */
    public readonly array $data;

    /**
     * @internal
     *
     * @param array<string, mixed> $raw all fields of the response
     */
    public function __construct(public readonly array $raw)
    {
        $this->id = $raw['id'];
        $this->type = $raw['type'];
        $this->timestamp = new DateTimeImmutable($raw['timestamp']);
        $this->sandbox = $raw['sandbox'];
        $this->data = $raw['data'];
    }
}
