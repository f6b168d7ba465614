package uprez

import (
	"context"
	"net/url"
	"time"
)

// Webhook is a webhook endpoint.
type Webhook struct {
	ID string `json:"id"`
	// Kind is "endpoint", or "jobs" for the webhook_url of individual jobs.
	Kind        string `json:"kind"`
	URL         string `json:"url"`
	Description string `json:"description"`
	// Events are the types of events to send. An empty list means all types.
	Events          []string   `json:"events"`
	Sandbox         bool       `json:"sandbox"`
	IsActive        bool       `json:"is_active"`
	DisabledReason  string     `json:"disabled_reason"`
	DisabledAt      *time.Time `json:"disabled_at"`
	FailingSince    *time.Time `json:"failing_since"`
	LastDeliveredAt *time.Time `json:"last_delivered_at"`
	// FormerSecretUntil is the time until which deliveries are also signed with the previous secret.
	FormerSecretUntil *time.Time `json:"former_secret_until"`
	CreatedAt         time.Time  `json:"created_at"`
	// Secret verifies deliveries. Only Create and Rotate return it.
	Secret string `json:"secret"`
}

// NewWebhook describes an endpoint to create. Only URL is required.
type NewWebhook struct {
	URL         string   `json:"url"`
	Description string   `json:"description,omitempty"`
	Events      []string `json:"events,omitempty"`
	Sandbox     bool     `json:"sandbox,omitempty"`
}

// WebhookChange changes an endpoint. Nil fields stay as they are.
type WebhookChange struct {
	URL         *string   `json:"url,omitempty"`
	Description *string   `json:"description,omitempty"`
	Events      *[]string `json:"events,omitempty"`
	// IsActive disables or enables the endpoint.
	IsActive *bool `json:"is_active,omitempty"`
}

// Webhooks manages webhook endpoints. The API key needs the scope "webhooks".
type Webhooks struct{ api *transport }

func (s *Webhooks) path(id string) string { return "/v1/webhooks/" + url.PathEscape(id) }

// List returns all endpoints.
func (s *Webhooks) List(ctx context.Context) ([]Webhook, error) {
	page := struct{ Data []Webhook }{}
	_, err := s.api.call(ctx, request{method: "GET", path: "/v1/webhooks"}, &page)
	return page.Data, err
}

// Create creates an endpoint. Its Secret isn't shown again.
func (s *Webhooks) Create(ctx context.Context, webhook NewWebhook) (*Webhook, error) {
	return s.make(ctx, request{method: "POST", path: "/v1/webhooks", body: webhook, isUnsafe: true})
}

// Get returns an endpoint.
func (s *Webhooks) Get(ctx context.Context, id string) (*Webhook, error) {
	return s.make(ctx, request{method: "GET", path: s.path(id)})
}

// Update changes an endpoint.
func (s *Webhooks) Update(ctx context.Context, id string, change WebhookChange) (*Webhook, error) {
	return s.make(ctx, request{method: "PATCH", path: s.path(id), body: change})
}

// Delete deletes an endpoint.
func (s *Webhooks) Delete(ctx context.Context, id string) error {
	_, err := s.api.call(ctx, request{method: "DELETE", path: s.path(id)}, nil)
	return err
}

// Rotate rotates the secret. Deliveries are signed with both secrets for the time of overlap, in whole hours; if it is
// nil, for the default of the service.
func (s *Webhooks) Rotate(ctx context.Context, id string, overlap *time.Duration) (*Webhook, error) {
	body := map[string]any{}
	if overlap != nil {
		body["overlap_hours"] = overlap.Hours()
	}
	return s.make(ctx, request{method: "POST", path: s.path(id) + "/rotate", body: body, isUnsafe: true})
}

// Resend resends all events since a time. It returns the number of events.
func (s *Webhooks) Resend(ctx context.Context, id string, since time.Time) (int, error) {
	body := map[string]any{"since": since.UTC().Format(time.RFC3339Nano)}
	reply := struct{ Events int }{}
	req := request{method: "POST", path: s.path(id) + "/resend", body: body, isUnsafe: true}
	_, err := s.api.call(ctx, req, &reply)
	return reply.Events, err
}

func (s *Webhooks) make(ctx context.Context, req request) (*Webhook, error) {
	webhook := &Webhook{}
	if _, err := s.api.call(ctx, req, webhook); err != nil {
		return nil, err
	}
	return webhook, nil
}
