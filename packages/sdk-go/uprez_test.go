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

type seen struct {
	path, body, key, authorization string
}

type answer struct {
	status int
	body   any
	header map[string]string
}

// serve answers calls in turn and keeps what was asked.
func serve(t *testing.T, answers ...answer) (*Client, *[]seen, string) {
	t.Helper()
	asked := &[]seen{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		header := r.Header
		*asked = append(*asked, seen{
			r.URL.String(), string(body), header.Get("Idempotency-Key"), header.Get("Authorization"),
		})
		next := answers[len(*asked)-1]
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
	return client, asked, server.URL
}

func job(status string, more map[string]any) map[string]any {
	facts := map[string]any{"id": "j1", "status": status, "created_at": "2026-01-01T00:00:00.000Z"}
	for name, value := range more {
		facts[name] = value
	}
	return facts
}

var soon = map[string]string{"Retry-After": "0"}

func TestRetriesWithOneKeyFromTheStartOfAStream(t *testing.T) {
	charged := map[string]string{"X-Credits-Charged": "1"}
	client, asked, _ := serve(t, answer{429, "", soon}, answer{503, "", soon}, answer{202, job(Queued, nil), charged})
	stream := bytes.NewReader([]byte("skipped image"))
	stream.Seek(8, io.SeekStart)
	made, err := client.Process(context.Background(), Reader("photo.png", stream), &Options{Scale: 2, Cache: Ptr(false)})
	if err != nil || made.ID != "j1" || *made.CreditsCharged != 1 {
		t.Fatal(made, err)
	}
	for _, one := range *asked {
		if one.body != "image" || one.key == "" || one.key != (*asked)[0].key {
			t.Error(one)
		}
	}
	if got := (*asked)[0].path; got != "/base/v1/process?cache=false&filename=photo.png&scale=2" {
		t.Error(got)
	}
}

func TestAStreamThatCannotBeWoundBackIsSentOnce(t *testing.T) {
	client, asked, _ := serve(t, answer{503, "", soon})
	_, err := client.Process(context.Background(), Reader("photo.png", io.MultiReader(bytes.NewReader([]byte("x")))), nil)
	var refused *APIError
	if !errors.As(err, &refused) || refused.Code != "http_503" || len(*asked) != 1 {
		t.Error(err, *asked)
	}
}

func TestARefusalTellsWhatIsWrong(t *testing.T) {
	problem := map[string]any{"code": "job_not_found", "detail": "There is none.", "hint": "Look.", "param": "id"}
	client, _, _ := serve(t, answer{404, problem, map[string]string{"X-Request-Id": "r1"}})
	_, err := client.Jobs.Get(context.Background(), "j1")
	var refused *APIError
	if !IsNotFound(err) || !errors.As(err, &refused) {
		t.Fatal(err)
	}
	if refused.Code != "job_not_found" || refused.Param != "id" || refused.Hint != "Look." || refused.RequestID != "r1" {
		t.Errorf("%+v", refused)
	}
}

func TestADownloadGoesOnAfterABreakAndLeavesNoHalfFile(t *testing.T) {
	var link string
	client, asked, url := serve(t,
		answer{200, "half", map[string]string{"Content-Length": "8"}},
		answer{200, "complete", nil},
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
	// A link needs no key, wherever it leads.
	if (*asked)[1].authorization != "" {
		t.Error((*asked)[1])
	}
}

func TestAWaitEndsWithTheJobOrTheContext(t *testing.T) {
	failure := map[string]any{"error": map[string]any{"code": "corrupt_image", "message": "Damaged."}}
	client, _, _ := serve(t, answer{202, job(Queued, nil), nil}, answer{200, job(Failed, failure), nil})
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

func TestAServerThatIsNotThere(t *testing.T) {
	client, _ := New("key", "http://127.0.0.1:9", WithMaxRetries(0))
	_, err := client.Account(context.Background())
	var broken *ConnectionError
	if !errors.As(err, &broken) {
		t.Error(err)
	}
}

func TestPauses(t *testing.T) {
	if got := pause(0, "100000"); got != longestWait {
		t.Error(got)
	}
	if got := pause(0, "Thu, 01 Jan 2015 00:00:00 GMT"); got != 0 {
		t.Error(got)
	}
	if got := pause(3, "soon"); got < 2*time.Second || got > 4*time.Second {
		t.Error(got)
	}
}

func TestASecretThatIsNone(t *testing.T) {
	header := http.Header{"Webhook-Id": {"m"}, "Webhook-Timestamp": {"1"}, "Webhook-Signature": {"v1,x"}}
	if _, err := (Verifier{Secrets: []string{"whsec_?"}}).Verify([]byte("{}"), header); err == nil {
		t.Error("no error")
	}
	if _, err := (Verifier{}).Verify([]byte("{}"), header); !errors.Is(err, ErrInvalidSignature) {
		t.Error(err)
	}
}

func TestWhatIsAskedForWrongly(t *testing.T) {
	t.Setenv("UPREZ_API_KEY", "")
	t.Setenv("UPREZ_URL", "")
	if _, err := New("", ""); err == nil {
		t.Error("no error")
	}
	client, asked, _ := serve(t)
	if _, err := client.Process(context.Background(), File("missing.jpg"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if len(*asked) != 0 {
		t.Error(*asked)
	}
}
