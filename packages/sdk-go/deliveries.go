package uprez

import (
	"context"
	"net/url"
	"time"
)

// Delivery is a delivery of an event to an endpoint.
type Delivery struct {
	ID        string `json:"id"`
	EventID   string `json:"event_id"`
	EventType string `json:"event_type"`
	Subject   string `json:"subject"`
	URL       string `json:"url"`
	// Status is "pending", "delivered", or "failed".
	Status         string           `json:"status"`
	Attempts       int              `json:"attempts"`
	ResponseStatus *int             `json:"response_status"`
	Error          *DeliveryFailure `json:"error"`
	CreatedAt      time.Time        `json:"created_at"`
	LastAttemptAt  *time.Time       `json:"last_attempt_at"`
	NextAttemptAt  *time.Time       `json:"next_attempt_at"`
	// Body is the request body. It is empty in lists.
	Body string `json:"body"`
	// AttemptLog are the attempts, oldest first. It is empty in lists.
	AttemptLog []DeliveryAttempt `json:"attempt_log"`
}

// DeliveryAttempt is one attempt to deliver an event.
type DeliveryAttempt struct {
	Number         int              `json:"number"`
	At             time.Time        `json:"at"`
	DurationMS     int              `json:"duration_ms"`
	ResponseStatus *int             `json:"response_status"`
	ResponseBody   *string          `json:"response_body"`
	Error          *DeliveryFailure `json:"error"`
}

// DeliveryFailure is the reason an attempt failed.
type DeliveryFailure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// DeliveryPage is a page of deliveries. NextCursor is the cursor of the next page; empty on the last page.
type DeliveryPage struct {
	Data       []Delivery `json:"data"`
	NextCursor string     `json:"next_cursor"`
}

// DeliveryFilter filters a list of deliveries. Limit is the number of deliveries per page.
type DeliveryFilter struct {
	Status string
	Limit  int
	Cursor string
}

// Test sends a test event to an endpoint.
func (s *Webhooks) Test(ctx context.Context, id string) (*Delivery, error) {
	return s.delivery(ctx, request{method: "POST", path: s.path(id) + "/test", isUnsafe: true})
}

// Deliveries returns a page of deliveries, newest first.
func (s *Webhooks) Deliveries(ctx context.Context, id string, filter DeliveryFilter) (*DeliveryPage, error) {
	query := pageQuery("cursor", filter.Cursor, filter.Limit)
	if filter.Status != "" {
		query.Set("status", filter.Status)
	}
	page := &DeliveryPage{}
	req := request{method: "GET", path: s.path(id) + "/deliveries", query: query}
	if _, err := s.api.call(ctx, req, page); err != nil {
		return nil, err
	}
	return page, nil
}

// Delivery returns a delivery with its body and attempts.
func (s *Webhooks) Delivery(ctx context.Context, id, deliveryID string) (*Delivery, error) {
	return s.delivery(ctx, request{method: "GET", path: s.deliveryPath(id, deliveryID)})
}

// ResendDelivery resends a delivery.
func (s *Webhooks) ResendDelivery(ctx context.Context, id, deliveryID string) (*Delivery, error) {
	path := s.deliveryPath(id, deliveryID) + "/resend"
	return s.delivery(ctx, request{method: "POST", path: path, isUnsafe: true})
}

func (s *Webhooks) deliveryPath(id, deliveryID string) string {
	return s.path(id) + "/deliveries/" + url.PathEscape(deliveryID)
}

func (s *Webhooks) delivery(ctx context.Context, req request) (*Delivery, error) {
	delivery := &Delivery{}
	if _, err := s.api.call(ctx, req, delivery); err != nil {
		return nil, err
	}
	return delivery, nil
}
