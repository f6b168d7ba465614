// Receives webhooks: UPREZ_WEBHOOK_SECRET=whsec_... go run .
// Each event is stored in the folder "events" before the response. Another program can process the files.
package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/uprez/uprez-go"
)

const maxBytes = 256 * 1024

type receiver struct {
	verifier uprez.Verifier
	folder   string
}

func (r receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	// After any status other than 2xx, the event is sent again later.
	w.WriteHeader(r.receive(request))
}

func (r receiver) receive(request *http.Request) int {
	if request.Method != http.MethodPost {
		return http.StatusMethodNotAllowed
	}
	if request.ContentLength < 0 || request.ContentLength > maxBytes {
		return http.StatusRequestEntityTooLarge
	}
	// The signature covers the unmodified bytes.
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return http.StatusBadRequest
	}
	event, err := r.verifier.Verify(body, request.Header)
	if err != nil {
		return http.StatusBadRequest
	}
	// An event can arrive more than once. Its ID names the file, so it is stored once.
	if err := os.WriteFile(filepath.Join(r.folder, event.ID+".json"), body, 0o644); err != nil {
		log.Print(err)
		return http.StatusInternalServerError
	}
	return http.StatusNoContent
}

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

func main() {
	// During a rotation, set the new and the old secret, separated by a space.
	secrets := strings.Fields(os.Getenv("UPREZ_WEBHOOK_SECRET"))
	if len(secrets) == 0 {
		log.Fatal("Set UPREZ_WEBHOOK_SECRET to the secret of the endpoint.")
	}
	folder := env("EVENTS_DIR", "events")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		log.Fatal(err)
	}
	handler := receiver{verifier: uprez.Verifier{Secrets: secrets}, folder: folder}
	log.Fatal(http.ListenAndServe(":"+env("PORT", "8080"), handler))
}
