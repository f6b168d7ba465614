<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeImmutable;

/** The deleted files of a job, with their digests. */
final class Deletion
{
    public readonly string $id;
    public readonly DateTimeImmutable $deletedAt;
    /** @var list<array{kind: string, sha256: string}> */
    public readonly array $objects;

    /**
     * @internal
     *
     * @param array<string, mixed> $data
     */
    public function __construct(array $data)
    {
        $this->id = $data['id'];
        $this->deletedAt = new DateTimeImmutable($data['deleted_at']);
        $this->objects = $data['objects'];
    }
}
