package uprez

import "context"

// DryRun is the estimated result and cost of an image.
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

// Estimate is the estimated result and cost of an image with the given properties. Limit is the limit that the job
// would exceed; nil if the job would be accepted.
type Estimate struct {
	Width   int      `json:"width"`
	Height  int      `json:"height"`
	Bytes   *float64 `json:"bytes"`
	Seconds *float64 `json:"seconds"`
	Units   int      `json:"units"`
	Meter   string   `json:"meter"`
	Limit   *Limit   `json:"limit"`
}

// Limit is the first limit that a job would exceed.
type Limit struct {
	Code       string  `json:"code"`
	Detail     string  `json:"detail"`
	MaxScale   float64 `json:"max_scale"`
	UnlockedBy string  `json:"unlocked_by"`
}

// Facts are the properties of an image. Width and Height are required.
type Facts struct {
	Width        int
	Height       int
	Bytes        int64
	HasAlpha     bool
	SourceFormat string
	Frames       int
}

// Estimate estimates the result and cost of an image.
func (c *Client) Estimate(ctx context.Context, facts Facts, options *Options) (*Estimate, error) {
	body, err := options.fields()
	if err != nil {
		return nil, err
	}
	// width and height are those of the image. The size of the result goes into target.
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
