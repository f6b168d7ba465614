<?php

declare(strict_types=1);

namespace Uprez;

/** Something that happened, as the feed and webhooks tell it. */
final class Event
{
    public readonly string $id;
    public readonly string $type;
    /** @var array<string, mixed> */
    public readonly array $data;

    /**
     * @internal
     *
     * @param array<string, mixed> $raw everything that the API said
     */
    public function __construct(public readonly array $raw)
    {
        $this->id = $raw['id'];
        $this->type = $raw['type'];
        $this->data = $raw['data'];
    }
}
