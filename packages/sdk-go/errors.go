package uprez

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// APIError is an error response of the API. The documentation explains each Code.
type APIError struct {
	Status           int             `json:"-"`
	Code             string          `json:"code"`
	Detail           string          `json:"detail"`
	Param            string          `json:"param"`
	Allowed          json.RawMessage `json:"allowed"`
	Got              string          `json:"got"`
	Hint             string          `json:"hint"`
	MaxScale         float64         `json:"max_scale"`
	Meta             map[string]any  `json:"meta"`
	RequestID        string          `json:"request_id"`
	DocumentationURL string          `json:"documentation_url"`
	// RetryAfter is how long to wait before the next attempt, if the service says so.
	RetryAfter time.Duration `json:"-"`
}

func (e *APIError) Error() string {
	return fmt.Sprintf("uprez: %s (%d %s)", e.Detail, e.Status, e.Code)
}

// IsNotFound reports whether the job or batch doesn't exist.
func IsNotFound(err error) bool { return hasStatus(err, http.StatusNotFound) }

// IsQuotaExceeded reports whether the plan or the API key has no credits left.
func IsQuotaExceeded(err error) bool { return hasStatus(err, http.StatusPaymentRequired) }

func hasStatus(err error, status int) bool {
	var apiErr *APIError
	return errors.As(err, &apiErr) && apiErr.Status == status
}

// ConnectionError means that the service couldn't be reached, after all retries.
type ConnectionError struct{ Err error }

func (e *ConnectionError) Error() string {
	return "uprez: couldn't connect to the service: " + e.Err.Error()
}

// Unwrap returns the underlying error.
func (e *ConnectionError) Unwrap() error { return e.Err }

// JobError means that a job failed, was canceled, or has no result.
type JobError struct{ Job *Job }

// Code returns the error code.
func (e *JobError) Code() string {
	if e.Job.Error != nil {
		return e.Job.Error.Code
	}
	switch e.Job.Status {
	case Cancelled:
		return "cancelled"
	case Expired:
		return "result_expired"
	case Failed:
		return "internal"
	}
	return "job_not_finished"
}

func (e *JobError) Error() string {
	if e.Job.Error != nil {
		return "uprez: " + e.Job.Error.Message
	}
	return fmt.Sprintf("uprez: job %s is %s", e.Job.ID, e.Job.Status)
}

// Failure is the reason a job or batch item failed.
type Failure struct {
	Code             string `json:"code"`
	Message          string `json:"message"`
	DocumentationURL string `json:"documentation_url"`
}

// readError returns the error of an unsuccessful response.
func readError(response *http.Response) *APIError {
	apiErr := &APIError{}
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if json.Unmarshal(text, apiErr) != nil {
		apiErr = &APIError{Detail: "the request failed"}
	}
	apiErr.Status = response.StatusCode
	apiErr.RetryAfter, _ = readRetryAfter(response.Header.Get("Retry-After"))
	if apiErr.Code == "" {
		apiErr.Code = fmt.Sprintf("http_%d", response.StatusCode)
	}
	if apiErr.RequestID == "" {
		apiErr.RequestID = response.Header.Get("X-Request-Id")
	}
	return apiErr
}
