package uprez

import (
	"context"
	"encoding/json"
	"time"
)

// Event is an event of the event feed and of webhooks.
type Event struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Sandbox   bool            `json:"sandbox"`
	Data      json.RawMessage `json:"data"`
}

// EventPage is a page of events. NextCursor is the cursor of the next page; empty on the last page.
type EventPage struct {
	Data       []Event `json:"data"`
	NextCursor string  `json:"next_cursor"`
}

// Events is the event feed.
type Events struct{ api *transport }

// EventFilter filters events: after the event with this ID, of one type. Limit is the number of events per page.
type EventFilter struct {
	After string
	Type  string
	Limit int
}

// List returns a page of events, oldest first.
func (s *Events) List(ctx context.Context, filter EventFilter) (*EventPage, error) {
	page := &EventPage{}
	query := pageQuery("after", filter.After, filter.Limit)
	if filter.Type != "" {
		query.Set("type", filter.Type)
	}
	req := request{method: "GET", path: "/v1/events", query: query}
	if _, err := s.api.call(ctx, req, page); err != nil {
		return nil, err
	}
	return page, nil
}
