package uprez

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Version is the version of this package.
const Version = "0.2.0"

// Client is a client of the Uprez API. It is safe for concurrent use.
type Client struct {
	Jobs     *Jobs
	Batches  *Batches
	Events   *Events
	Webhooks *Webhooks

	api *transport
}

// Option configures a Client.
type Option func(*transport)

// WithMaxRetries sets the number of retries of each request. The default is 3.
func WithMaxRetries(retries int) Option {
	return func(t *transport) { t.maxRetries = retries }
}

// WithHTTPClient sets the HTTP client. Its CheckRedirect is replaced.
func WithHTTPClient(client *http.Client) Option {
	return func(t *transport) { own := *client; t.client = &own }
}

// New returns a client. An empty apiKey defaults to UPREZ_API_KEY, an empty baseURL (with or without /v1) to UPREZ_URL.
func New(apiKey, baseURL string, options ...Option) (*Client, error) {
	if apiKey == "" {
		apiKey = os.Getenv("UPREZ_API_KEY")
	}
	if baseURL == "" {
		baseURL = os.Getenv("UPREZ_URL")
	}
	if apiKey == "" || baseURL == "" {
		return nil, errors.New("uprez: pass an API key and a base URL, or set UPREZ_API_KEY and UPREZ_URL")
	}
	if _, err := url.Parse(baseURL); err != nil {
		return nil, err
	}
	through := http.DefaultTransport.(*http.Transport).Clone()
	through.ResponseHeaderTimeout = time.Minute
	api := &transport{
		key:        apiKey,
		baseURL:    trimBaseURL(baseURL),
		maxRetries: 3,
		client:     &http.Client{Transport: through},
	}
	for _, option := range options {
		option(api)
	}
	api.client.CheckRedirect = checkRedirect
	client := &Client{Jobs: &Jobs{api}, Batches: &Batches{api}, Events: &Events{api}, Webhooks: &Webhooks{api}, api: api}
	return client, nil
}

// trimBaseURL removes /v1 from the end of a URL, because paths of the API start with it.
func trimBaseURL(address string) string {
	return strings.TrimSuffix(strings.TrimRight(address, "/"), "/v1")
}

// checkRedirect follows signed URLs, which may redirect to the storage. The API key is never sent elsewhere.
func checkRedirect(_ *http.Request, via []*http.Request) error {
	if via[0].Header.Get("Authorization") != "" || len(via) > 3 {
		return http.ErrUseLastResponse
	}
	return nil
}

// Process processes an image and returns the job. Retries of the request never create a second job.
func (c *Client) Process(ctx context.Context, image Image, options *Options) (*Job, error) {
	return c.ProcessOnce(ctx, newIdempotencyKey(), image, options)
}

// ProcessOnce is Process with your own idempotency key. A repeated call within 24 hours returns the same job.
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

// imageWait is how long a request for an image waits, in seconds. It is shorter than the timeout of the transport.
const imageWait = "50"

// ProcessImage processes an image and returns the bytes of the result, in one request unless the image takes longer than
// that waits. It then waits until ctx is done.
func (c *Client) ProcessImage(ctx context.Context, image Image, options *Options) ([]byte, error) {
	fields, err := options.fields()
	if err != nil {
		return nil, err
	}
	header := http.Header{"Idempotency-Key": {newIdempotencyKey()}, "Accept": {"image/*"}, "Prefer": {"wait=" + imageWait}}
	var id string
	var content []byte
	err = c.api.send(ctx, toRequest(image, fields, header), func(response *http.Response) error {
		id = response.Header.Get("X-Job-Id")
		if response.StatusCode == http.StatusAccepted {
			return nil
		}
		var read bytes.Buffer
		_, err := copyBody(&read, response)
		content = read.Bytes()
		return err
	})
	if err != nil || content != nil {
		return content, err
	}
	job, err := c.Jobs.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if job, err = job.Wait(ctx); err != nil {
		return nil, err
	}
	return job.Result(ctx)
}

// DryRun validates an image and its options, and estimates the result. Nothing is processed or charged.
func (c *Client) DryRun(ctx context.Context, image Image, options *Options) (*DryRun, error) {
	fields, err := options.fields()
	if err != nil {
		return nil, err
	}
	fields["dry_run"] = true
	httpReq := &DryRun{}
	if _, err := c.submit(ctx, image, fields, http.Header{}, httpReq); err != nil {
		return nil, err
	}
	return httpReq, nil
}

func (c *Client) submit(
	ctx context.Context, image Image, fields map[string]any, header http.Header, into any,
) (http.Header, error) {
	header.Set("Prefer", "respond-async")
	return c.api.call(ctx, toRequest(image, fields, header), into)
}

// toRequest makes the request that processes an image.
func toRequest(image Image, fields map[string]any, header http.Header) request {
	if image.filename != "" {
		fields["filename"] = image.filename
	}
	if image.url != "" {
		fields["image_url"] = image.url
		return request{method: "POST", path: "/v1/process", header: header, body: fields}
	}
	if fields["mask"] != nil {
		form := image.inForm(fields)
		return request{method: "POST", path: "/v1/process", header: header, image: &form}
	}
	return request{method: "POST", path: "/v1/process", header: header, query: toQuery(fields), image: &image}
}
