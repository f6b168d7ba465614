<?php

declare(strict_types=1);

namespace Uprez;

/** The first limit that a job would exceed. */
final class Limit
{
    public readonly string $code;
    public readonly string $detail;
    public readonly int|float|null $maxScale;
    public readonly ?string $unlockedBy;

    /**
     * @internal
     *
     * @param array<string, mixed> $data
     */
    public function __construct(array $data)
    {
        $this->code = $data['code'];
        $this->detail = $data['detail'];
        $this->maxScale = $data['max_scale'] ?? null;
        $this->unlockedBy = $data['unlocked_by'] ?? null;
    }
}
