package uprez

import (
	"context"
	"net/url"
	"time"
)

// Deletion is the response to a deletion: the deleted files of a finished job, or the canceled job.
type Deletion struct {
	ID        string
	DeletedAt time.Time
	Objects   []DeletedObject
	Cancelled *Job
}

// DeletedObject is a deleted file.
type DeletedObject struct {
	Kind   string `json:"kind"`
	SHA256 string `json:"sha256"`
}

// Jobs gets, lists, and cancels jobs.
type Jobs struct{ api *transport }

func (s *Jobs) path(id string) string { return "/v1/jobs/" + url.PathEscape(id) }

func (s *Jobs) adopt(job *Job) *Job {
	job.jobs, job.fetched = s, time.Now()
	return job
}

// Get returns a job.
func (s *Jobs) Get(ctx context.Context, id string) (*Job, error) {
	job := &Job{}
	if _, err := s.api.call(ctx, request{method: "GET", path: s.path(id)}, job); err != nil {
		return nil, err
	}
	return s.adopt(job), nil
}

// JobFilter filters a list of jobs. Limit is the number of jobs per page.
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

// JobPage is a page of jobs. NextCursor is the cursor of the next page; empty on the last page.
type JobPage struct {
	Data       []*Job `json:"data"`
	NextCursor string `json:"next_cursor"`
}

// List returns a page of jobs, newest first.
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

// Each calls a function for each job, newest first. It stops and returns the error if the function returns one.
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

// Cancel cancels an unfinished job. It returns a *JobError if the job is finished, and keeps its result.
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

// Delete deletes the files of a finished job, or cancels an unfinished job.
func (s *Jobs) Delete(ctx context.Context, id string) (*Deletion, error) {
	response := &struct {
		Job
		DeletedAt *time.Time      `json:"deleted_at"`
		Objects   []DeletedObject `json:"objects"`
	}{}
	if _, err := s.api.call(ctx, request{method: "DELETE", path: s.path(id)}, response); err != nil {
		return nil, err
	}
	if response.DeletedAt == nil {
		return &Deletion{ID: response.ID, Cancelled: s.adopt(&response.Job)}, nil
	}
	return &Deletion{ID: response.ID, DeletedAt: *response.DeletedAt, Objects: response.Objects}, nil
}
