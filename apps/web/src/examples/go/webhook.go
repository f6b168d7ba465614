// Verifies a webhook. The arguments are the headers webhook-id, webhook-timestamp, and
// webhook-signature: go run webhook.go ID TIMESTAMP SIGNATURE < body.json
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"
	"time"
)

const secret = "whsec_YOUR_SECRET"

// isValid verifies the unmodified request body.
func isValid(id, timestamp, signature string, body []byte) bool {
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Since(time.Unix(sent, 0))
	if err != nil || age > 5*time.Minute || age < -5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// During a secret rotation, the header contains two signatures.
	for _, one := range strings.Split(signature, " ") {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	if !isValid(os.Args[1], os.Args[2], os.Args[3], body) {
		log.Fatal("invalid signature, or too old")
	}
	fmt.Println("valid")
}
