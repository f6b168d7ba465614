// Package uprez resizes and AI-upscales images with the Uprez API.
//
//	client, err := uprez.New("YOUR_API_KEY", "https://uprez.example")
//	job, err := client.Process(ctx, uprez.File("photo.jpg"), &uprez.Options{Scale: 4})
//	job, err = job.Wait(ctx)
//	_, err = job.Download(ctx, "upscaled.jpg")
//
// Every method takes a context, which also ends retries and waits.
package uprez
