package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func send(photo []byte, key string) (*http.Response, error) {
	request, err := http.NewRequest("POST", "https://uprez.example/v1/process?scale=2", bytes.NewReader(photo))
	check(err)
	request.Header.Set("Authorization", "Bearer YOUR_API_KEY")
	request.Header.Set("Content-Type", "image/jpeg")
	request.Header.Set("Idempotency-Key", key)
	return http.DefaultClient.Do(request)
}

// Whether the same call may succeed later, and after how many seconds.
func passes(answer *http.Response, err error, attempt int) (bool, int) {
	if err != nil {
		return true, 1 << attempt
	}
	pause, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil {
		pause = 1 << attempt
	}
	return answer.StatusCode == 429 || answer.StatusCode >= 500, pause
}

func main() {
	photo, err := os.ReadFile("photo.jpg")
	check(err)
	// Whatever happens on the way, one key makes and charges one picture.
	random := make([]byte, 16)
	_, err = rand.Read(random)
	check(err)
	key := hex.EncodeToString(random)

	answer, err := send(photo, key)
	for attempt := 1; attempt < 5; attempt++ {
		again, pause := passes(answer, err, attempt)
		if !again {
			break
		}
		time.Sleep(time.Duration(pause) * time.Second)
		answer, err = send(photo, key)
	}
	check(err)
	defer answer.Body.Close()

	var job struct {
		DownloadURL string `json:"download_url"`
		Code        string `json:"code"`
		Hint        string `json:"hint"`
	}
	check(json.NewDecoder(answer.Body).Decode(&job))
	if job.DownloadURL == "" {
		log.Fatal(job.Code, ": ", job.Hint)
	}
	result, err := http.Get(job.DownloadURL)
	check(err)
	defer result.Body.Close()
	file, err := os.Create("enlarged.jpg")
	check(err)
	defer file.Close()
	_, err = io.Copy(file, result.Body)
	check(err)
}
