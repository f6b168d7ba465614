package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

const wish = `{
	"image_url": "https://pictures.example/photo.jpg",
	"width": 640,
	"height": 480,
	"fit": "cover",
	"format": "webp"
}`

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	request, err := http.NewRequest("POST", "https://uprez.example/v1/process", strings.NewReader(wish))
	check(err)
	request.Header.Set("Authorization", "Bearer YOUR_API_KEY")
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	check(err)
	defer answer.Body.Close()

	var job struct {
		DownloadURL string `json:"download_url"`
		Detail      string `json:"detail"`
	}
	check(json.NewDecoder(answer.Body).Decode(&job))
	if job.DownloadURL == "" {
		log.Fatal(job.Detail)
	}

	result, err := http.Get(job.DownloadURL)
	check(err)
	defer result.Body.Close()
	file, err := os.Create("card.webp")
	check(err)
	defer file.Close()
	_, err = io.Copy(file, result.Body)
	check(err)
}
