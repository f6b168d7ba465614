// Command contract runs the shared SDK cases and prints one line of JSON per case.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/uprez/uprez-go"
)

type facts map[string]any

type input struct {
	Kind, File, URL string
	TargetURL       string `json:"target_url"`
}

type contractCase struct {
	Name    string
	Key     string
	Retries *int
	Do      string
	ID      string
	Input   input
	Inputs  []input
	Options json.RawMessage
	Body    json.RawMessage
	Query   struct {
		Status string
		Type   string
		Limit  int
		After  string
	}
	Files      []string
	Payload    string
	Headers    map[string]string
	Secrets    []string
	ToleranceS int64 `json:"tolerance_s"`
	Now        int64
	Then       []string

	ImageURL struct {
		URL       string `json:"url"`
		KeyID     string `json:"key_id"`
		Secret    string `json:"secret"`
		BaseURL   string `json:"base_url"`
		ExpiresAt int64  `json:"expires_at"`
	} `json:"image_url"`
	BasePath       string  `json:"base_path"`
	IdempotencyKey string  `json:"idempotency_key"`
	DeliveryID     string  `json:"delivery_id"`
	OverlapHours   float64 `json:"overlap_hours"`
	Since          time.Time
	Webhook        uprez.NewWebhook
	Change         uprez.WebhookChange
}

func main() {
	text, err := os.ReadFile(os.Getenv("UPREZ_CASES"))
	if err != nil {
		log.Fatal(err)
	}
	var all struct{ Cases []contractCase }
	if err := json.Unmarshal(text, &all); err != nil {
		log.Fatal(err)
	}
	for _, one := range all.Cases {
		line := run(one)
		line["name"] = one.Name
		if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
			log.Fatal(err)
		}
	}
}

func run(one contractCase) facts {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	made, err := begin(ctx, one)
	for _, step := range one.Then {
		if err == nil {
			made, err = take(ctx, one, step, made)
		}
	}
	if err != nil {
		return facts{"ok": false, "got": showError(err)}
	}
	return facts{"ok": true, "got": show(made)}
}

func newClient(one contractCase) (*uprez.Client, error) {
	keys := map[string]string{
		"": os.Getenv("UPREZ_KEY_LIVE"), "live": os.Getenv("UPREZ_KEY_LIVE"),
		"test": os.Getenv("UPREZ_KEY_TEST"), "pro": os.Getenv("UPREZ_KEY_PRO"), "wrong": "upz_live_wrong",
	}
	var options []uprez.Option
	if one.Retries != nil {
		options = append(options, uprez.WithMaxRetries(*one.Retries))
	}
	return uprez.New(keys[one.Key], os.Getenv("UPREZ_URL")+"/"+one.Name+one.BasePath, options...)
}

func begin(ctx context.Context, one contractCase) (any, error) {
	client, err := newClient(one)
	if err != nil {
		return nil, err
	}
	filter := uprez.JobFilter{Status: one.Query.Status, Limit: one.Query.Limit}
	switch one.Do {
	case "process":
		return process(ctx, client, one)
	case "image":
		return processToFile(ctx, client, one)
	case "batch":
		return batch(ctx, client, one)
	case "verify":
		return verify(one)
	case "sign_image_url":
		return sign(one)
	case "get":
		return client.Jobs.Get(ctx, one.ID)
	case "cancel":
		return client.Jobs.Cancel(ctx, one.ID)
	case "delete":
		return client.Jobs.Delete(ctx, one.ID)
	case "list":
		return client.Jobs.List(ctx, filter)
	case "list_all":
		page := &uprez.JobPage{}
		return page, client.Jobs.Each(ctx, filter, func(job *uprez.Job) error {
			page.Data = append(page.Data, job)
			return nil
		})
	case "estimate":
		return estimate(ctx, client, one)
	case "webhook":
		webhook, err := client.Webhooks.Create(ctx, one.Webhook)
		return &hooked{client: client, webhook: webhook, made: webhook}, err
	case "webhooks":
		return client.Webhooks.List(ctx)
	case "deliveries":
		return client.Webhooks.Deliveries(ctx, one.ID, uprez.DeliveryFilter{Status: one.Query.Status})
	case "delivery":
		return client.Webhooks.Delivery(ctx, one.ID, one.DeliveryID)
	case "account":
		return client.Account(ctx)
	case "engines":
		return client.Engines(ctx)
	case "events":
		wanted := uprez.EventFilter{After: one.Query.After, Type: one.Query.Type, Limit: one.Query.Limit}
		return client.Events.List(ctx, wanted)
	}
	return nil, fmt.Errorf("unknown verb: %s", one.Do)
}

func readOptions(text json.RawMessage) (*uprez.Options, bool, error) {
	options := &uprez.Options{}
	var more struct {
		Extra  map[string]any
		DryRun bool `json:"dry_run"`
	}
	if len(text) == 0 {
		return options, false, nil
	}
	if err := json.Unmarshal(text, options); err != nil {
		return nil, false, err
	}
	err := json.Unmarshal(text, &more)
	options.Extra = more.Extra
	return options, more.DryRun, err
}

func process(ctx context.Context, client *uprez.Client, one contractCase) (any, error) {
	options, isDry, err := readOptions(one.Options)
	if err != nil {
		return nil, err
	}
	image, err := readImage(one.Input)
	if err != nil {
		return nil, err
	}
	if isDry {
		return client.DryRun(ctx, image, options)
	}
	if one.IdempotencyKey != "" {
		return client.ProcessOnce(ctx, one.IdempotencyKey, image, options)
	}
	return client.Process(ctx, image, options)
}

func processToFile(ctx context.Context, client *uprez.Client, one contractCase) (any, error) {
	options, _, err := readOptions(one.Options)
	if err != nil {
		return nil, err
	}
	image, err := readImage(one.Input)
	if err != nil {
		return nil, err
	}
	content, err := client.ProcessImage(ctx, image, options)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(os.Getenv("UPREZ_OUT"), one.Name)
	return saved(path, int64(len(content)), os.WriteFile(path, content, 0o644))
}

// readImage returns the image of a case. The process is short, so files stay open.
func readImage(in input) (uprez.Image, error) {
	path := filepath.Join(os.Getenv("UPREZ_FILES"), in.File)
	switch in.Kind {
	case "url":
		return uprez.URL(in.URL), nil
	case "bytes":
		data, err := os.ReadFile(path)
		return uprez.Bytes(in.File, data), err
	case "stream", "pipe":
		file, err := os.Open(path)
		if err != nil || in.Kind == "stream" {
			return uprez.Reader(in.File, file), err
		}
		return uprez.Reader(in.File, struct{ io.Reader }{file}), nil
	}
	return uprez.File(path), nil
}

func batch(ctx context.Context, client *uprez.Client, one contractCase) (any, error) {
	options, _, err := readOptions(one.Options)
	if err != nil {
		return nil, err
	}
	var images []uprez.Image
	for _, name := range one.Files {
		image := uprez.File(filepath.Join(os.Getenv("UPREZ_FILES"), name))
		if strings.HasPrefix(name, "https:") {
			image = uprez.URL(name)
		}
		images = append(images, image)
	}
	for _, in := range one.Inputs {
		image, err := readImage(in)
		if err != nil {
			return nil, err
		}
		if in.TargetURL != "" {
			image = image.WithTarget(in.TargetURL)
		}
		images = append(images, image)
	}
	return client.Batches.Process(ctx, images, options)
}

func verify(one contractCase) (any, error) {
	header := map[string][]string{}
	for name, value := range one.Headers {
		canonical(header).Add(name, value)
	}
	verifier := uprez.Verifier{
		Secrets:   one.Secrets,
		Tolerance: time.Duration(one.ToleranceS) * time.Second,
		Now:       func() time.Time { return time.Unix(one.Now, 0) },
	}
	event, err := verifier.Verify([]byte(one.Payload), header)
	if err != nil {
		return nil, err
	}
	return facts{"event": facts{"type": event.Type, "data": event.Data}}, nil
}

func sign(one contractCase) (any, error) {
	given := one.ImageURL
	options, _, err := readOptions(one.Options)
	if err != nil {
		return nil, err
	}
	var expiresAt time.Time
	if given.ExpiresAt != 0 {
		expiresAt = time.Unix(given.ExpiresAt, 0)
	}
	signer := uprez.ImageURLSigner{KeyID: given.KeyID, Secret: given.Secret, BaseURL: given.BaseURL}
	url, err := signer.Sign(given.URL, options, expiresAt)
	return facts{"url": url}, err
}

func estimate(ctx context.Context, client *uprez.Client, one contractCase) (any, error) {
	var image uprez.Facts
	if err := json.Unmarshal(one.Body, &image); err != nil {
		return nil, err
	}
	options, _, err := readOptions(one.Body)
	if err != nil {
		return nil, err
	}
	options.Width, options.Height = 0, 0
	return client.Estimate(ctx, image, options)
}
