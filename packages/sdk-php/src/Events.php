<?php

declare(strict_types=1);

namespace Uprez;

use Generator;

/** The event feed. */
final class Events
{
    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Return a page of events after the event `$after`, oldest first.
     *
     * @return Page<Event>
     */
    public function list(?string $after = null, ?string $type = null, ?int $limit = null): Page
    {
        $query = ['after' => $after, 'type' => $type, 'limit' => $limit];
        $data = $this->transport->call('GET', '/v1/events', $query)->data;
        return new Page(array_map(static fn (array $event) => new Event($event), $data['data']), $data['next_cursor']);
    }

    /**
     * Iterate over all events.
     *
     * @param int|null $limit events per page
     *
     * @return Generator<int, Event>
     */
    public function iterate(?string $after = null, ?string $type = null, ?int $limit = null): Generator
    {
        do {
            $page = $this->list($after, $type, $limit);
            foreach ($page->data as $event) {
                yield $event;
            }
            $after = $page->nextCursor;
        } while ($after !== null);
    }
}
