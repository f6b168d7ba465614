package uprez

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

const uploadsAtOnce = 4

// Batch is a batch of images with the same options. It is immutable: methods return a new Batch.
type Batch struct {
	ID        string         `json:"id"`
	Status    string         `json:"status"`
	Progress  int            `json:"progress"`
	Counts    map[string]int `json:"counts"`
	Sandbox   bool           `json:"sandbox"`
	CreatedAt time.Time      `json:"created_at"`
	ExpiresAt time.Time      `json:"expires_at"`
	Items     []BatchItem    `json:"items"`
	// CreditsCharged are the credits charged for the request. They are refunded for images that fail or are free. Nil
	// unless the request created the batch.
	CreditsCharged *int `json:"-"`

	batches *Batches
}

// BatchItem is an item of a batch.
type BatchItem struct {
	ID          string   `json:"id"`
	ClientID    string   `json:"client_id"`
	Name        string   `json:"name"`
	Status      string   `json:"status"`
	Progress    int      `json:"progress"`
	JobID       string   `json:"job_id"`
	DownloadURL string   `json:"download_url"`
	Notes       []string `json:"notes"`
	Error       *Failure `json:"error"`
	// Delivery is the upload of the result to the target URL; nil without a target.
	Delivery *ResultDelivery `json:"delivery"`
}

// ResultDelivery is the upload of a result to the target URL of its item.
type ResultDelivery struct {
	Status        string     `json:"status"`
	Host          string     `json:"host"`
	Attempts      int        `json:"attempts"`
	Error         string     `json:"error"`
	StatusCode    int        `json:"status_code"`
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	DeliveredAt   *time.Time `json:"delivered_at"`
}

// IsFinal reports whether all items have ended.
func (b *Batch) IsFinal() bool { return b.Status != "active" }

// Wait waits until all items have ended. The context limits the wait.
func (b *Batch) Wait(ctx context.Context) (*Batch, error) {
	return poll(ctx, b, func() (*Batch, error) { return b.batches.Get(ctx, b.ID) })
}

// Refresh gets the current state of the batch.
func (b *Batch) Refresh(ctx context.Context) (*Batch, error) { return b.batches.Get(ctx, b.ID) }

// Cancel cancels all unfinished items. Items that have been processing for a while are charged.
func (b *Batch) Cancel(ctx context.Context) (*Batch, error) { return b.batches.Cancel(ctx, b.ID) }

// Retry retries the failed items, with another engine unless engine is empty.
func (b *Batch) Retry(ctx context.Context, engine string) (*Batch, error) {
	return b.batches.Retry(ctx, b.ID, engine)
}

// DownloadZip downloads all results so far as a ZIP archive. The file appears when it is complete. It returns the
// number of bytes.
func (b *Batch) DownloadZip(ctx context.Context, path string) (int64, error) {
	return b.batches.api.download(ctx, b.batches.path(b.ID)+"/zip", path)
}

// DownloadZipTo writes all results so far to a writer as a ZIP archive. It returns the number of bytes.
func (b *Batch) DownloadZipTo(ctx context.Context, target io.Writer) (int64, error) {
	return b.batches.api.stream(ctx, b.batches.path(b.ID)+"/zip", target)
}

// Batches creates and gets batches.
type Batches struct{ api *transport }

func (s *Batches) path(id string) string { return "/v1/batches/" + url.PathEscape(id) }

type newItem struct {
	ClientID  string `json:"client_id"`
	Name      string `json:"name,omitempty"`
	ImageURL  string `json:"image_url,omitempty"`
	TargetURL string `json:"target_url,omitempty"`
}

// Process creates a batch and uploads its files. Images by URL are fetched. A rejected file fails its own item only.
func (s *Batches) Process(ctx context.Context, images []Image, options *Options) (*Batch, error) {
	fields, err := options.fields()
	if err != nil {
		return nil, err
	}
	items := make([]newItem, len(images))
	for at, image := range images {
		items[at] = newItem{ClientID: strconv.Itoa(at), Name: image.filename, ImageURL: image.url, TargetURL: image.targetURL}
	}
	header := http.Header{"Idempotency-Key": {newIdempotencyKey()}}
	body := map[string]any{"items": items, "recipe": fields}
	created, err := s.make(ctx, request{method: "POST", path: "/v1/batches", header: header, body: body})
	if err != nil {
		return nil, err
	}
	if err := s.uploadAll(ctx, created, images); err != nil {
		return nil, err
	}
	batch, err := s.Get(ctx, created.ID)
	if err == nil {
		batch.CreditsCharged = created.CreditsCharged
	}
	return batch, err
}

func (s *Batches) uploadAll(ctx context.Context, batch *Batch, images []Image) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slots := make(chan struct{}, uploadsAtOnce)
	failures := make(chan error, len(batch.Items))
	var running sync.WaitGroup
	for _, item := range batch.Items {
		at, err := strconv.Atoi(item.ClientID)
		if item.Status != "waiting" || err != nil || at < 0 || at >= len(images) || images[at].url != "" {
			continue
		}
		running.Add(1)
		slots <- struct{}{}
		go func(itemID string, image Image) {
			defer func() { <-slots; running.Done() }()
			if _, err := s.Upload(ctx, batch.ID, itemID, image); err != nil && !isFileError(err) {
				failures <- err
				cancel()
			}
		}(item.ID, images[at])
	}
	running.Wait()
	close(failures)
	return <-failures
}

// isFileError reports whether err rejects a single file.
func isFileError(err error) bool {
	for _, status := range []int{400, 409, 413, 415, 422} {
		if hasStatus(err, status) {
			return true
		}
	}
	return false
}

// Upload uploads the file of an item.
func (s *Batches) Upload(ctx context.Context, batchID, itemID string, image Image) (*BatchItem, error) {
	item := &BatchItem{}
	path := fmt.Sprintf("%s/items/%s", s.path(batchID), url.PathEscape(itemID))
	_, err := s.api.call(ctx, request{method: "PUT", path: path, image: &image}, item)
	return item, err
}

// Get returns a batch.
func (s *Batches) Get(ctx context.Context, id string) (*Batch, error) {
	batch, err := s.make(ctx, request{method: "GET", path: s.path(id)})
	if err == nil {
		batch.CreditsCharged = nil
	}
	return batch, err
}

// Cancel cancels all unfinished items. Items that have been processing for a while are charged.
func (s *Batches) Cancel(ctx context.Context, id string) (*Batch, error) {
	return s.make(ctx, request{method: "POST", path: s.path(id) + "/cancel"})
}

// Retry retries the failed items, with another engine unless engine is empty.
func (s *Batches) Retry(ctx context.Context, id, engine string) (*Batch, error) {
	body := map[string]any{}
	if engine != "" {
		body["engine"] = engine
	}
	return s.make(ctx, request{method: "POST", path: s.path(id) + "/retry", body: body})
}

func (s *Batches) make(ctx context.Context, req request) (*Batch, error) {
	batch := &Batch{batches: s}
	header, err := s.api.call(ctx, req, batch)
	if err != nil {
		return nil, err
	}
	batch.CreditsCharged = readCharged(header)
	return batch, nil
}
