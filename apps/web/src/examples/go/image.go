package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	photo, err := os.Open("photo.jpg")
	check(err)
	request, err := http.NewRequest("POST", "https://uprez.example/v1/process?scale=4", photo)
	check(err)
	request.Header.Set("Authorization", "Bearer YOUR_API_KEY")
	request.Header.Set("Accept", "image/*")
	request.Header.Set("Content-Type", "image/jpeg")
	response, err := http.DefaultClient.Do(request)
	check(err)
	image, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode == 202 {
		log.Fatalf("Not ready yet. Get it later from %s/result.", response.Header.Get("Location"))
	}
	if response.StatusCode != 200 {
		log.Fatal(string(image))
	}
	check(os.WriteFile("large.jpg", image, 0o644))
}
