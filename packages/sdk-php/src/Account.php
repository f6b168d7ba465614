<?php

declare(strict_types=1);

namespace Uprez;

/** Your plan, quotas, and API key. */
final class Account
{
    public readonly string $plan;
    public readonly string $planName;
    public readonly int $callsPerMinute;
    /** @var list<array<string, mixed>> quotas: meter, included, granted, used, left, resets_at */
    public readonly array $quota;
    /** @var array<string, mixed> the API key of the request */
    public readonly array $key;

    /**
     * @internal
     *
     * @param array<string, mixed> $data
     */
    public function __construct(array $data)
    {
        $this->plan = $data['plan']['key'];
        $this->planName = $data['plan']['name'];
        $this->callsPerMinute = $data['calls_per_minute'];
        $this->quota = $data['quota'];
        $this->key = $data['key'];
    }
}
