package uprez

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

type recordedRequest struct {
	path, body, key, authorization string
}

type fakeResponse struct {
	status int
	body   any
	header map[string]string
}

// serve sends the given responses in order and records the requests.
func serve(t *testing.T, responses ...fakeResponse) (*Client, *[]recordedRequest, string) {
	t.Helper()
	requests := &[]recordedRequest{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		header := r.Header
		*requests = append(*requests, recordedRequest{
			r.URL.String(), string(body), header.Get("Idempotency-Key"), header.Get("Authorization"),
		})
		next := responses[len(*requests)-1]
		for name, value := range next.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(next.status)
		if text, ok := next.body.(string); ok {
			io.WriteString(w, text)
		} else {
			json.NewEncoder(w).Encode(next.body)
		}
	}))
	t.Cleanup(server.Close)
	client, err := New("key", server.URL+"/base/")
	if err != nil {
		t.Fatal(err)
	}
	return client, requests, server.URL
}

func job(status string, more map[string]any) map[string]any {
	facts := map[string]any{"id": "j1", "status": status, "created_at": "2026-01-01T00:00:00.000Z"}
	for name, value := range more {
		facts[name] = value
	}
	return facts
}

var soon = map[string]string{"Retry-After": "0"}

func TestRetriesResendTheStreamWithTheSameIdempotencyKey(t *testing.T) {
	charged := map[string]string{"X-Credits-Charged": "1"}
	client, requests, _ := serve(t, fakeResponse{429, "", soon}, fakeResponse{503, "", soon}, fakeResponse{202, job(Queued, nil), charged})
	stream := bytes.NewReader([]byte("skipped image"))
	stream.Seek(8, io.SeekStart)
	made, err := client.Process(context.Background(), Reader("photo.png", stream), &Options{Scale: 2, Cache: Ptr(false)})
	if err != nil || made.ID != "j1" || *made.CreditsCharged != 1 {
		t.Fatal(made, err)
	}
	for _, one := range *requests {
		if one.body != "image" || one.key == "" || one.key != (*requests)[0].key {
			t.Error(one)
		}
	}
	if got := (*requests)[0].path; got != "/base/v1/process?cache=false&filename=photo.png&scale=2" {
		t.Error(got)
	}
}

func TestSendsAStreamOnceIfItIsNotSeekable(t *testing.T) {
	client, requests, _ := serve(t, fakeResponse{503, "", soon})
	_, err := client.Process(context.Background(), Reader("photo.png", io.MultiReader(bytes.NewReader([]byte("x")))), nil)
	var apiErr *APIError
	if !errors.As(err, &apiErr) || apiErr.Code != "http_503" || len(*requests) != 1 {
		t.Error(err, *requests)
	}
}

func TestAPIErrorHasTheFieldsOfTheResponse(t *testing.T) {
	problem := map[string]any{"code": "job_not_found", "detail": "There is none.", "hint": "Look.", "param": "id"}
	client, _, _ := serve(t, fakeResponse{404, problem, map[string]string{"X-Request-Id": "r1"}})
	_, err := client.Jobs.Get(context.Background(), "j1")
	var apiErr *APIError
	if !IsNotFound(err) || !errors.As(err, &apiErr) {
		t.Fatal(err)
	}
	if apiErr.Code != "job_not_found" || apiErr.Param != "id" || apiErr.Hint != "Look." || apiErr.RequestID != "r1" {
		t.Errorf("%+v", apiErr)
	}
}

func TestDownloadRetriesAfterAnInterruptionAndLeavesNoPartialFile(t *testing.T) {
	var link string
	client, requests, url := serve(t,
		fakeResponse{200, "half", map[string]string{"Content-Length": "8"}},
		fakeResponse{200, "complete", nil},
	)
	link = url + "/file"
	done := client.Jobs.adopt(&Job{ID: "j1", Status: Completed, DownloadURL: link})
	path := filepath.Join(t.TempDir(), "out.jpg")
	size, err := done.Download(context.Background(), path)
	if err != nil || size != 8 {
		t.Fatal(size, err)
	}
	if text, _ := os.ReadFile(path); string(text) != "complete" {
		t.Error(string(text))
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Error(entries)
	}
	// The API key is not sent to signed URLs.
	if (*requests)[1].authorization != "" {
		t.Error((*requests)[1])
	}
}

func TestResultRetriesAndFollowsRedirectsWithoutTheKey(t *testing.T) {
	client, requests, url := serve(t,
		fakeResponse{302, "", map[string]string{"Location": "/storage"}},
		fakeResponse{200, "half", map[string]string{"Content-Length": "8"}},
		fakeResponse{302, "", map[string]string{"Location": "/storage"}},
		fakeResponse{200, "complete", nil},
	)
	done := client.Jobs.adopt(&Job{ID: "j1", Status: Completed, DownloadURL: url + "/file"})
	data, err := done.Result(context.Background())
	if err != nil || string(data) != "complete" {
		t.Fatal(string(data), err)
	}
	for _, one := range *requests {
		if one.authorization != "" {
			t.Error(one)
		}
	}
}

func TestDoesNotFollowRedirectsWithTheKey(t *testing.T) {
	client, requests, _ := serve(t, fakeResponse{302, "", map[string]string{"Location": "/elsewhere"}})
	if _, err := client.Account(context.Background()); !hasStatus(err, 302) || len(*requests) != 1 {
		t.Error(err, *requests)
	}
}

func TestOpenStreamsTheResultByItsIDAndReportsInterruptions(t *testing.T) {
	client, requests, _ := serve(t, fakeResponse{200, "half", map[string]string{"Content-Length": "8"}})
	done := client.Jobs.adopt(&Job{ID: "j1", Status: Completed})
	stream, err := done.Open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	data, err := io.ReadAll(stream)
	var broken *ConnectionError
	if string(data) != "half" || !errors.As(err, &broken) {
		t.Error(string(data), err)
	}
	if one := (*requests)[0]; one.path != "/base/v1/jobs/j1/result" || one.authorization == "" {
		t.Error(one)
	}
}

func TestDoesNotRepeatWebhookRequestsWithAnUnknownOutcome(t *testing.T) {
	client, requests, _ := serve(t, fakeResponse{503, "", soon})
	_, err := client.Webhooks.Create(context.Background(), NewWebhook{URL: "https://example.com/hook"})
	if !hasStatus(err, 503) || len(*requests) != 1 {
		t.Error(err, *requests)
	}
}

func TestJobHasItsCreditsAndTheEndOfFreeCancellation(t *testing.T) {
	facts := map[string]any{"credits": 1, "free_cancel_until": "2026-01-01T00:00:10.000Z"}
	client, _, _ := serve(t, fakeResponse{202, job(Processing, facts), nil})
	made, err := client.Process(context.Background(), Bytes("photo.png", []byte("x")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if made.Credits != 1 || made.FreeCancelUntil == nil || made.FreeCancelUntil.Unix() != 1767225610 {
		t.Error(made.Credits, made.FreeCancelUntil)
	}
}

func TestWaitEndsWithTheJobOrTheContext(t *testing.T) {
	failure := map[string]any{"error": map[string]any{"code": "corrupt_image", "message": "Damaged."}}
	client, _, _ := serve(t, fakeResponse{202, job(Queued, nil), nil}, fakeResponse{200, job(Failed, failure), nil})
	made, err := client.Process(context.Background(), Bytes("photo.png", []byte("x")), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = made.Wait(context.Background())
	var failed *JobError
	if !errors.As(err, &failed) || failed.Code() != "corrupt_image" {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := made.Wait(ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestReturnsConnectionErrorWhenTheServerIsDown(t *testing.T) {
	client, _ := New("key", "http://127.0.0.1:9", WithMaxRetries(0))
	_, err := client.Account(context.Background())
	var broken *ConnectionError
	if !errors.As(err, &broken) {
		t.Error(err)
	}
}

func TestPauseUsesRetryAfterOrBackoff(t *testing.T) {
	if got := pause(0, "7"); got < 7*time.Second || got > 7250*time.Millisecond {
		t.Error(got)
	}
	if isTooLong("") || isTooLong("soon") || isTooLong("60") || !isTooLong("61") || !isTooLong("86400") {
		t.Error("not a minute")
	}
	if got := pause(0, "Thu, 01 Jan 2015 00:00:00 GMT"); got < 0 || got > 250*time.Millisecond {
		t.Error(got)
	}
	if got := pause(3, "soon"); got < 2*time.Second || got > 4*time.Second {
		t.Error(got)
	}
}

func TestRejectsInvalidWebhookSecrets(t *testing.T) {
	header := http.Header{"Webhook-Id": {"m"}, "Webhook-Timestamp": {"1"}, "Webhook-Signature": {"v1,x"}}
	if _, err := (Verifier{Secrets: []string{"whsec_?"}}).Verify([]byte("{}"), header); err == nil {
		t.Error("no error")
	}
	if _, err := (Verifier{}).Verify([]byte("{}"), header); !errors.Is(err, ErrInvalidSignature) {
		t.Error(err)
	}
}

func TestRejectsInvalidArguments(t *testing.T) {
	t.Setenv("UPREZ_API_KEY", "")
	t.Setenv("UPREZ_URL", "")
	if _, err := New("", ""); err == nil {
		t.Error("no error")
	}
	client, requests, _ := serve(t)
	if _, err := client.Process(context.Background(), File("missing.jpg"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if len(*requests) != 0 {
		t.Error(*requests)
	}
}
