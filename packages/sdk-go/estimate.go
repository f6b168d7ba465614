package uprez

import "context"

// DryRun is what an image would become, and what it would cost.
type DryRun struct {
	Width   int      `json:"width"`
	Height  int      `json:"height"`
	Bytes   float64  `json:"bytes"`
	Seconds float64  `json:"seconds"`
	Format  string   `json:"format"`
	Quality int      `json:"quality"`
	Engine  string   `json:"engine"`
	Units   int      `json:"units"`
	Meter   string   `json:"meter"`
	Notes   []string `json:"notes"`
}

// Estimate is what an image of some size would become and cost. Limit: why the job would be refused; nil: it would
// not.
type Estimate struct {
	Width   int      `json:"width"`
	Height  int      `json:"height"`
	Bytes   *float64 `json:"bytes"`
	Seconds *float64 `json:"seconds"`
	Units   int      `json:"units"`
	Meter   string   `json:"meter"`
	Limit   *Limit   `json:"limit"`
}

// Limit is the first one that a job would meet.
type Limit struct {
	Code       string  `json:"code"`
	Detail     string  `json:"detail"`
	MaxScale   float64 `json:"max_scale"`
	UnlockedBy string  `json:"unlocked_by"`
}

// Facts of an image that is not sent. Width and Height are needed.
type Facts struct {
	Width        int
	Height       int
	Bytes        int64
	HasAlpha     bool
	SourceFormat string
	Frames       int
}

// Estimate tells what would become of an image, and what it would cost.
func (c *Client) Estimate(ctx context.Context, facts Facts, options *Options) (*Estimate, error) {
	body, err := options.fields()
	if err != nil {
		return nil, err
	}
	// Here width and height are the image's: those that are wanted go apart.
	target := map[string]any{}
	for _, name := range []string{"width", "height", "fit"} {
		if value, ok := body[name]; ok {
			target[name] = value
			delete(body, name)
		}
	}
	body["target"], body["width"], body["height"], body["has_alpha"] = target, facts.Width, facts.Height, facts.HasAlpha
	if facts.Bytes > 0 {
		body["bytes"] = facts.Bytes
	}
	if facts.SourceFormat != "" {
		body["source_format"] = facts.SourceFormat
	}
	if facts.Frames > 0 {
		body["frames"] = facts.Frames
	}
	estimate := &Estimate{}
	_, err = c.api.call(ctx, request{method: "POST", path: "/v1/estimate", body: body}, estimate)
	return estimate, err
}
