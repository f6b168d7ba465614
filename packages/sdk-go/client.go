package uprez

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Version of this package.
const Version = "0.1.0"

// Client calls the Uprez API. It is safe for concurrent use.
type Client struct {
	Jobs    *Jobs
	Batches *Batches
	Events  *Events

	api *transport
}

// Option changes how a client makes its calls.
type Option func(*transport)

// WithMaxRetries sets how often a call is tried again that failed for a while; 3 unless set.
func WithMaxRetries(retries int) Option {
	return func(t *transport) { t.maxRetries = retries }
}

// WithHTTPClient makes calls through a client of your own. Redirects are not followed all the same.
func WithHTTPClient(client *http.Client) Option {
	return func(t *transport) { own := *client; t.client = &own }
}

// New makes a client. An empty key or address (without /v1) is taken from UPREZ_API_KEY or UPREZ_URL.
func New(apiKey, baseURL string, options ...Option) (*Client, error) {
	if apiKey == "" {
		apiKey = os.Getenv("UPREZ_API_KEY")
	}
	if baseURL == "" {
		baseURL = os.Getenv("UPREZ_URL")
	}
	if apiKey == "" || baseURL == "" {
		return nil, errors.New("uprez: give a key and an address, or set UPREZ_API_KEY and UPREZ_URL")
	}
	if _, err := url.Parse(baseURL); err != nil {
		return nil, err
	}
	through := http.DefaultTransport.(*http.Transport).Clone()
	through.ResponseHeaderTimeout = time.Minute
	api := &transport{
		key:        apiKey,
		baseURL:    strings.TrimRight(baseURL, "/"),
		maxRetries: 3,
		client:     &http.Client{Transport: through},
	}
	for _, option := range options {
		option(api)
	}
	api.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{Jobs: &Jobs{api}, Batches: &Batches{api}, Events: &Events{api}, api: api}, nil
}

// Process sends an image and returns the job that it became. Retries of the call make nothing twice.
func (c *Client) Process(ctx context.Context, image Image, options *Options) (*Job, error) {
	return c.ProcessOnce(ctx, newIdempotencyKey(), image, options)
}

// ProcessOnce is Process with an idempotency key of your own: repeating the call within a day makes nothing twice.
func (c *Client) ProcessOnce(ctx context.Context, idempotencyKey string, image Image, options *Options) (*Job, error) {
	fields, err := options.fields()
	if err != nil {
		return nil, err
	}
	job := &Job{}
	header, err := c.submit(ctx, image, fields, http.Header{"Idempotency-Key": {idempotencyKey}}, job)
	if err != nil {
		return nil, err
	}
	job.charged(header)
	return c.Jobs.adopt(job), nil
}

// DryRun checks everything about an image and tells what would be made; nothing is made or charged.
func (c *Client) DryRun(ctx context.Context, image Image, options *Options) (*DryRun, error) {
	fields, err := options.fields()
	if err != nil {
		return nil, err
	}
	fields["dry_run"] = true
	made := &DryRun{}
	if _, err := c.submit(ctx, image, fields, http.Header{}, made); err != nil {
		return nil, err
	}
	return made, nil
}

func (c *Client) submit(
	ctx context.Context, image Image, fields map[string]any, header http.Header, into any,
) (http.Header, error) {
	header.Set("Prefer", "respond-async")
	if image.filename != "" {
		fields["filename"] = image.filename
	}
	if image.url != "" {
		fields["image_url"] = image.url
		return c.api.call(ctx, request{method: "POST", path: "/v1/process", header: header, body: fields}, into)
	}
	asked := request{method: "POST", path: "/v1/process", header: header, query: toQuery(fields), image: &image}
	return c.api.call(ctx, asked, into)
}
