package uprez

import (
	"context"
	"time"
)

// Account is your plan, quotas, and API key.
type Account struct {
	Plan struct {
		Key  string `json:"key"`
		Name string `json:"name"`
	} `json:"plan"`
	CallsPerMinute int     `json:"calls_per_minute"`
	HardStop       bool    `json:"hard_stop"`
	Quota          []Quota `json:"quota"`
	// Key is the API key of the request.
	Key Key `json:"key"`
}

// Quota is a quota of a plan.
type Quota struct {
	Meter    string    `json:"meter"`
	Included int       `json:"included"`
	Granted  int       `json:"granted"`
	Used     int       `json:"used"`
	Left     int       `json:"left"`
	ResetsAt time.Time `json:"resets_at"`
}

// Key describes an API key.
type Key struct {
	ID             string     `json:"id"`
	Name           string     `json:"name"`
	Kind           string     `json:"kind"`
	Scopes         []string   `json:"scopes"`
	ExpiresAt      *time.Time `json:"expires_at"`
	MonthlyCap     *int       `json:"monthly_cap"`
	UnitsThisMonth int        `json:"units_this_month"`
}

// Account returns the plan and the remaining credits.
func (c *Client) Account(ctx context.Context) (*Account, error) {
	account := &Account{}
	_, err := c.api.call(ctx, request{method: "GET", path: "/v1/account"}, account)
	return account, err
}

// Engine is an engine that processes images.
type Engine struct {
	Name            string   `json:"name"`
	Meter           string   `json:"meter"`
	Says            string   `json:"says"`
	IsAuto          bool     `json:"is_auto"`
	Available       *bool    `json:"available"`
	Device          string   `json:"device"`
	PixelsPerSecond *float64 `json:"pixels_per_second"`
}

// Engines lists the available engines.
func (c *Client) Engines(ctx context.Context) ([]Engine, error) {
	page := struct{ Data []Engine }{}
	_, err := c.api.call(ctx, request{method: "GET", path: "/v1/engines"}, &page)
	return page.Data, err
}
