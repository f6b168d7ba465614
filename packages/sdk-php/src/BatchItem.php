<?php

declare(strict_types=1);

namespace Uprez;

/** An item of a batch. */
final class BatchItem
{
    public readonly string $id;
    public readonly string $clientId;
    public readonly string $name;
    public readonly string $status;
    public readonly int $progress;
    public readonly ?string $jobId;
    public readonly ?string $downloadUrl;
    /** @var list<string> */
    public readonly array $notes;
    public readonly ?Failure $error;
    /** @var array<string, mixed>|null upload of the result to the target URL: status, host, attempts, error, ... */
    public readonly ?array $delivery;

    /**
     * @internal
     *
     * @param array<string, mixed> $data
     */
    public function __construct(array $data)
    {
        $this->id = $data['id'];
        $this->clientId = $data['client_id'];
        $this->name = $data['name'];
        $this->status = $data['status'];
        $this->progress = $data['progress'];
        $this->jobId = $data['job_id'];
        $this->downloadUrl = $data['download_url'];
        $this->notes = $data['notes'] ?? [];
        $this->error = Failure::of($data['error']);
        $this->delivery = $data['delivery'] ?? null;
    }
}
