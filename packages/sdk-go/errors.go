package uprez

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// APIError is a call that the API refused: its Code is explained in the documentation.
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
}

func (e *APIError) Error() string {
	return fmt.Sprintf("uprez: %s (%d %s)", e.Detail, e.Status, e.Code)
}

// IsNotFound tells whether there is no such job or batch.
func IsNotFound(err error) bool { return hasStatus(err, http.StatusNotFound) }

// IsQuotaExceeded tells whether the plan or the key has no units left.
func IsQuotaExceeded(err error) bool { return hasStatus(err, http.StatusPaymentRequired) }

func hasStatus(err error, status int) bool {
	var refused *APIError
	return errors.As(err, &refused) && refused.Status == status
}

// ConnectionError is a call that got no answer, even after all retries.
type ConnectionError struct{ Err error }

func (e *ConnectionError) Error() string { return "uprez: no answer came: " + e.Err.Error() }

// Unwrap is what went wrong.
func (e *ConnectionError) Unwrap() error { return e.Err }

// JobError is a job that ended without a result, or has none (any more).
type JobError struct{ Job *Job }

// Code is the error's name in the documentation.
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

// Failure says why a job or a file of a batch failed.
type Failure struct {
	Code             string `json:"code"`
	Message          string `json:"message"`
	DocumentationURL string `json:"documentation_url"`
}

// readError makes an error of an answer that is none of success.
func readError(response *http.Response) *APIError {
	refused := &APIError{}
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if json.Unmarshal(text, refused) != nil {
		refused = &APIError{Detail: "the call failed"}
	}
	refused.Status = response.StatusCode
	if refused.Code == "" {
		refused.Code = fmt.Sprintf("http_%d", response.StatusCode)
	}
	if refused.RequestID == "" {
		refused.RequestID = response.Header.Get("X-Request-Id")
	}
	return refused
}
