package uprez

import (
	"context"
	"net/url"
	"time"
)

// Deletion is what deleting a job answers: a receipt of the bytes that were removed, or the job, which was not finished
// and is cancelled now.
type Deletion struct {
	ID        string
	DeletedAt time.Time
	Objects   []DeletedObject
	Cancelled *Job
}

// DeletedObject is one file that was removed.
type DeletedObject struct {
	Kind   string `json:"kind"`
	SHA256 string `json:"sha256"`
}

// Jobs looks jobs up and ends them.
type Jobs struct{ api *transport }

func (s *Jobs) adopt(job *Job) *Job {
	job.jobs, job.fetched = s, time.Now()
	return job
}

// Get looks a job up.
func (s *Jobs) Get(ctx context.Context, id string) (*Job, error) {
	job := &Job{}
	if _, err := s.api.call(ctx, request{method: "GET", path: "/v1/jobs/" + url.PathEscape(id)}, job); err != nil {
		return nil, err
	}
	return s.adopt(job), nil
}

// JobFilter chooses jobs of a list. Limit: of one page.
type JobFilter struct {
	Status        string
	CreatedAfter  time.Time
	CreatedBefore time.Time
	Limit         int
	Cursor        string
}

func (f JobFilter) query() url.Values {
	query := pageQuery("cursor", f.Cursor, f.Limit)
	if f.Status != "" {
		query.Set("status", f.Status)
	}
	if !f.CreatedAfter.IsZero() {
		query.Set("created_after", f.CreatedAfter.Format(time.RFC3339Nano))
	}
	if !f.CreatedBefore.IsZero() {
		query.Set("created_before", f.CreatedBefore.Format(time.RFC3339Nano))
	}
	return query
}

// JobPage is a part of a list of jobs. NextCursor asks for the page after it; empty: this was the last.
type JobPage struct {
	Data       []*Job `json:"data"`
	NextCursor string `json:"next_cursor"`
}

// List is one page of the account's jobs, newest first.
func (s *Jobs) List(ctx context.Context, filter JobFilter) (*JobPage, error) {
	page := &JobPage{}
	if _, err := s.api.call(ctx, request{method: "GET", path: "/v1/jobs", query: filter.query()}, page); err != nil {
		return nil, err
	}
	for _, job := range page.Data {
		s.adopt(job)
	}
	return page, nil
}

// Each hands over all jobs, newest first, until one is answered with an error, which it returns.
func (s *Jobs) Each(ctx context.Context, filter JobFilter, take func(*Job) error) error {
	for {
		page, err := s.List(ctx, filter)
		if err != nil {
			return err
		}
		for _, job := range page.Data {
			if err := take(job); err != nil {
				return err
			}
		}
		if page.NextCursor == "" {
			return nil
		}
		filter.Cursor = page.NextCursor
	}
}

// Cancel ends a job that is not finished; of one that is, it returns a *JobError and deletes nothing.
func (s *Jobs) Cancel(ctx context.Context, id string) (*Job, error) {
	job, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if job.IsFinal() {
		return nil, &JobError{job}
	}
	deletion, err := s.Delete(ctx, id)
	if err != nil || deletion.Cancelled != nil {
		return deletion.cancelled(), err
	}
	return s.Get(ctx, id)
}

func (d *Deletion) cancelled() *Job {
	if d == nil {
		return nil
	}
	return d.Cancelled
}

// Delete removes a finished job's files now, or cancels one that is not finished.
func (s *Jobs) Delete(ctx context.Context, id string) (*Deletion, error) {
	answer := &struct {
		Job
		DeletedAt *time.Time      `json:"deleted_at"`
		Objects   []DeletedObject `json:"objects"`
	}{}
	if _, err := s.api.call(ctx, request{method: "DELETE", path: "/v1/jobs/" + url.PathEscape(id)}, answer); err != nil {
		return nil, err
	}
	if answer.DeletedAt == nil {
		return &Deletion{ID: answer.ID, Cancelled: s.adopt(&answer.Job)}, nil
	}
	return &Deletion{ID: answer.ID, DeletedAt: *answer.DeletedAt, Objects: answer.Objects}, nil
}
