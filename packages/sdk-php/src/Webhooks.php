<?php

declare(strict_types=1);

namespace Uprez;

use DateTimeInterface;

/** Webhook endpoints and their deliveries. The API key needs the scope `webhooks`. */
final class Webhooks
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /** @return list<WebhookEndpoint> */
    public function list(): array
    {
        $data = $this->transport->call('GET', '/v1/webhooks')->data['data'];
        return array_map(static fn (array $one) => new WebhookEndpoint($one), $data);
    }

    /**
     * Create an endpoint. Its `secret` isn't shown again.
     *
     * @param list<string>|null $events types to send; all types by default
     */
    public function create(
        string $url,
        ?string $description = null,
        ?array $events = null,
        ?bool $sandbox = null,
    ): WebhookEndpoint {
        $body = ['url' => $url, 'description' => $description, 'events' => $events, 'sandbox' => $sandbox];
        return new WebhookEndpoint($this->send('POST', '/v1/webhooks', $body));
    }

    public function get(string $id): WebhookEndpoint
    {
        return new WebhookEndpoint($this->transport->call('GET', "/v1/webhooks/$id")->data);
    }

    /**
     * Change an endpoint. Omitted fields stay as they are.
     *
     * @param list<string>|null $events
     * @param bool|null         $isActive false disables the endpoint
     */
    public function update(
        string $id,
        ?string $url = null,
        ?string $description = null,
        ?array $events = null,
        ?bool $isActive = null,
    ): WebhookEndpoint {
        $body = ['url' => $url, 'description' => $description, 'events' => $events, 'is_active' => $isActive];
        return new WebhookEndpoint($this->send('PATCH', "/v1/webhooks/$id", $body));
    }

    public function delete(string $id): void
    {
        $this->transport->call('DELETE', "/v1/webhooks/$id");
    }

    /** Rotate the secret. Deliveries are signed with both secrets until the previous one expires. */
    public function rotate(string $id, int|float|null $overlapHours = null): WebhookEndpoint
    {
        return new WebhookEndpoint($this->send('POST', "/v1/webhooks/$id/rotate", ['overlap_hours' => $overlapHours]));
    }

    /** Send a test event. */
    public function test(string $id): Delivery
    {
        return new Delivery($this->send('POST', "/v1/webhooks/$id/test"));
    }

    /** Resend all events since a time. Returns the number of events. */
    public function resend(string $id, DateTimeInterface $since): int
    {
        $body = ['since' => $since->format(DateTimeInterface::RFC3339_EXTENDED)];
        return $this->send('POST', "/v1/webhooks/$id/resend", $body)['events'];
    }

    /**
     * Return a page of deliveries, newest first.
     *
     * @return Page<Delivery>
     */
    public function deliveries(string $id, ?string $status = null, ?int $limit = null, ?string $cursor = null): Page
    {
        $query = ['status' => $status, 'limit' => $limit, 'cursor' => $cursor];
        $data = $this->transport->call('GET', "/v1/webhooks/$id/deliveries", $query)->data;
        return new Page(array_map(static fn (array $one) => new Delivery($one), $data['data']), $data['next_cursor']);
    }

    /** Return a delivery with its body and attempts. */
    public function delivery(string $id, string $deliveryId): Delivery
    {
        return new Delivery($this->transport->call('GET', "/v1/webhooks/$id/deliveries/$deliveryId")->data);
    }

    public function resendDelivery(string $id, string $deliveryId): Delivery
    {
        return new Delivery($this->send('POST', "/v1/webhooks/$id/deliveries/$deliveryId/resend"));
    }

    /**
     * @param array<string, mixed>|null $body null fields are omitted
     *
     * @return array<string, mixed>
     */
    private function send(string $method, string $path, ?array $body = null): array
    {
        $given = $body === null ? null : array_filter($body, static fn (mixed $value) => $value !== null);
        // POST requests have no idempotency key here, so they aren't repeated if their outcome is unknown.
        return $this->transport->call($method, $path, body: $given, isSafe: $method !== 'POST')->data;
    }
}
