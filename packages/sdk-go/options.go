package uprez

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
)

// Options are the options of a processing request. See the API reference. Zero values are not sent. Mask is the
// content of a PNG file.
type Options struct {
	Scale            float64  `json:"scale,omitempty"`
	Width            int      `json:"width,omitempty"`
	Height           int      `json:"height,omitempty"`
	Fit              string   `json:"fit,omitempty"`
	LongSide         int      `json:"long_side,omitempty"`
	ShortSide        int      `json:"short_side,omitempty"`
	Megapixels       float64  `json:"megapixels,omitempty"`
	Engine           string   `json:"engine,omitempty"`
	Detail           string   `json:"detail,omitempty"`
	Strength         *int     `json:"strength,omitempty"`
	Mask             []byte   `json:"mask,omitempty"`
	Format           string   `json:"format,omitempty"`
	Quality          int      `json:"quality,omitempty"`
	TargetBytes      int64    `json:"target_bytes,omitempty"`
	Grain            int      `json:"grain,omitempty"`
	Edges            string   `json:"edges,omitempty"`
	Alpha            string   `json:"alpha,omitempty"`
	NeverLarger      bool     `json:"never_larger,omitempty"`
	Background       string   `json:"background,omitempty"`
	Metadata         string   `json:"metadata,omitempty"`
	PreserveMetadata bool     `json:"preserve_metadata,omitempty"`
	GPS              bool     `json:"gps,omitempty"`
	DPI              int      `json:"dpi,omitempty"`
	KeepDPI          *bool    `json:"keep_dpi,omitempty"`
	PrintProfile     string   `json:"print_profile,omitempty"`
	Retention        *float64 `json:"retention,omitempty"`
	Cache            *bool    `json:"cache,omitempty"`
	WebhookURL       string   `json:"webhook_url,omitempty"`
	// Extra are options that this package doesn't support yet.
	Extra map[string]any `json:"-"`
}

// Ptr returns a pointer to a value, for options with a meaningful zero value.
func Ptr[T any](value T) *T { return &value }

// fields returns the fields of a request.
func (o *Options) fields() (map[string]any, error) {
	fields := map[string]any{}
	if o == nil {
		return fields, nil
	}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&fields); err != nil {
		return nil, err
	}
	for name, value := range o.Extra {
		fields[name] = value
	}
	return fields, nil
}

func toQuery(fields map[string]any) url.Values {
	query := url.Values{}
	for name, value := range fields {
		query.Set(name, fmt.Sprint(value))
	}
	return query
}
