package uprez

import (
	"context"
	"encoding/json"
)

// Event is something that happened, as the feed and webhooks tell it.
type Event struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// EventPage is a part of the feed. NextCursor asks for what comes after it; empty: this was all so far.
type EventPage struct {
	Data       []Event `json:"data"`
	NextCursor string  `json:"next_cursor"`
}

// Events is the feed of what happened, kept for 30 days.
type Events struct{ api *transport }

// List is one page of events, oldest first, that came after one that is known. A limit of 0 is the API's own.
func (s *Events) List(ctx context.Context, after string, limit int) (*EventPage, error) {
	page := &EventPage{}
	asked := request{method: "GET", path: "/v1/events", query: pageQuery("after", after, limit)}
	if _, err := s.api.call(ctx, asked, page); err != nil {
		return nil, err
	}
	return page, nil
}
