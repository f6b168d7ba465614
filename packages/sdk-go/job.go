package uprez

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Statuses of a job. A completed job becomes Expired when its result is deleted.
const (
	Queued     = "queued"
	Processing = "processing"
	Completed  = "completed"
	Failed     = "failed"
	Cancelled  = "cancelled"
	Expired    = "expired"
)

// Download URLs expire after 15 minutes. Older ones are not used.
const linkAge = 10 * time.Minute

// Size is the size of an image in pixels, and of its file in bytes.
type Size struct {
	Width    int   `json:"width"`
	Height   int   `json:"height"`
	FileSize int64 `json:"file_size"`
}

// Job processes one image. It is immutable: methods return a new Job.
type Job struct {
	ID string `json:"id"`
	// Success is nil until the job ends.
	Success        *bool      `json:"success"`
	Status         string     `json:"status"`
	Progress       int        `json:"progress"`
	QueuePosition  *int       `json:"queue_position"`
	Filename       string     `json:"filename"`
	ScaleFactor    float64    `json:"scale_factor"`
	Format         string     `json:"format"`
	Quality        int        `json:"quality"`
	Engine         string     `json:"engine"`
	OriginalSize   Size       `json:"original_size"`
	ProcessedSize  *Size      `json:"processed_size"`
	ProcessingTime *float64   `json:"processing_time"`
	Fidelity       *float64   `json:"fidelity"`
	DownloadURL    string     `json:"download_url"`
	CreatedAt      time.Time  `json:"created_at"`
	ExpiresAt      *time.Time `json:"expires_at"`
	Sandbox        bool       `json:"sandbox"`
	Notes          []string   `json:"notes"`
	Error          *Failure   `json:"error"`
	// Credits are the credits that the job costs; 0 if it failed, was canceled free of charge, or isn't charged.
	Credits int `json:"credits"`
	// FreeCancelUntil is the time until which canceling is free; nil unless the job is processing.
	FreeCancelUntil *time.Time `json:"free_cancel_until"`
	// CreditsCharged are the credits charged for the request. They are refunded if the job fails or is free. Nil unless
	// the request created the job.
	CreditsCharged *int `json:"-"`
	// Cached reports whether the result is a copy of a stored result, at no charge. False until the job is completed.
	Cached bool `json:"cached"`

	jobs    *Jobs
	fetched time.Time
}

func (j *Job) charged(header http.Header) {
	j.CreditsCharged = readCharged(header)
}

func readCharged(header http.Header) *int {
	units, err := strconv.Atoi(header.Get("X-Credits-Charged"))
	if err != nil {
		return nil
	}
	return &units
}

// IsFinal reports whether the job has ended.
func (j *Job) IsFinal() bool { return j.Status != Queued && j.Status != Processing }

// Wait waits until the job is completed. It returns a *JobError if the job fails. The context limits the wait.
func (j *Job) Wait(ctx context.Context) (*Job, error) {
	done, err := poll(ctx, j, func() (*Job, error) { return j.jobs.Get(ctx, j.ID) })
	if err != nil {
		return nil, err
	}
	if done.Status != Completed {
		return nil, &JobError{done}
	}
	return done, nil
}

// Refresh gets the current state of the job.
func (j *Job) Refresh(ctx context.Context) (*Job, error) { return j.jobs.Get(ctx, j.ID) }

// Download downloads the result to a file, which appears when it is complete. It returns the number of bytes.
func (j *Job) Download(ctx context.Context, path string) (int64, error) {
	location, err := j.location()
	if err != nil {
		return 0, err
	}
	return j.jobs.api.download(ctx, location, path)
}

// DownloadTo writes the result to a writer. It returns the number of bytes.
func (j *Job) DownloadTo(ctx context.Context, target io.Writer) (int64, error) {
	location, err := j.location()
	if err != nil {
		return 0, err
	}
	return j.jobs.api.stream(ctx, location, target)
}

// Result returns the bytes of the result.
func (j *Job) Result(ctx context.Context) ([]byte, error) {
	location, err := j.location()
	if err != nil {
		return nil, err
	}
	return j.jobs.api.read(ctx, location)
}

// Open opens the result as a stream, which the caller must close. An interruption isn't retried.
func (j *Job) Open(ctx context.Context) (io.ReadCloser, error) {
	location, err := j.location()
	if err != nil {
		return nil, err
	}
	return j.jobs.api.open(ctx, location)
}

// location returns the download URL, or the path of the result.
func (j *Job) location() (string, error) {
	if j.DownloadURL != "" && time.Since(j.fetched) < linkAge {
		return j.DownloadURL, nil
	}
	if j.Status == Failed || j.Status == Cancelled {
		return "", &JobError{j}
	}
	return j.jobs.path(j.ID) + "/result", nil
}

// Cancel cancels the job unless it is finished.
func (j *Job) Cancel(ctx context.Context) (*Job, error) { return j.jobs.Cancel(ctx, j.ID) }

// Delete deletes the files of a finished job, or cancels an unfinished job.
func (j *Job) Delete(ctx context.Context) (*Deletion, error) { return j.jobs.Delete(ctx, j.ID) }
