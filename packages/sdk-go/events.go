package uprez

import (
	"context"
	"encoding/json"
	"time"
)

// Event is something that happened, as the feed and webhooks tell it.
type Event struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Sandbox   bool            `json:"sandbox"`
	Data      json.RawMessage `json:"data"`
}

// EventPage is a part of the feed. NextCursor asks for what comes after it; empty: this was all so far.
type EventPage struct {
	Data       []Event `json:"data"`
	NextCursor string  `json:"next_cursor"`
}

// Events is the feed of what happened, kept for 30 days.
type Events struct{ api *transport }

// EventFilter chooses events: those that came after one whose id is known, of one type, so many on a page.
type EventFilter struct {
	After string
	Type  string
	Limit int
}

// List is one page of events, oldest first.
func (s *Events) List(ctx context.Context, filter EventFilter) (*EventPage, error) {
	page := &EventPage{}
	query := pageQuery("after", filter.After, filter.Limit)
	if filter.Type != "" {
		query.Set("type", filter.Type)
	}
	asked := request{method: "GET", path: "/v1/events", query: query}
	if _, err := s.api.call(ctx, asked, page); err != nil {
		return nil, err
	}
	return page, nil
}
