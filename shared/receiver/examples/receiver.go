// A complete receiver in Go with its standard library. To run it: go run verify.go receiver.go
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"
)

var registry, lock, seen = os.Getenv("REGISTRY"), sync.Mutex{}, map[string]bool{}
var kept Jwks
var keptAt time.Time

func keys(oldest time.Duration) (Jwks, error) {
	lock.Lock()
	defer lock.Unlock()
	if time.Since(keptAt) < oldest {
		return kept, nil
	}
	client := http.Client{Timeout: 5 * time.Second}
	answer, err := client.Get(registry + "/v1/.well-known/jwks.json")
	if err != nil {
		return kept, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		return kept, fmt.Errorf("keys: %d", answer.StatusCode)
	}
	var read Jwks
	if err = json.NewDecoder(answer.Body).Decode(&read); err == nil {
		kept, keptAt = read, time.Now()
	}
	return kept, err
}

func receive(request *http.Request) int {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return 500
	}
	isOurs := false
	for _, oldest := range []time.Duration{5 * time.Minute, time.Second} {
		jwks, err := keys(oldest)
		if err != nil {
			return 500
		}
		if isOurs = IsFromRegistry(request.Header, body, jwks); isOurs {
			break
		}
	}
	if !isOurs {
		return 401
	}
	if request.Header.Get("message-type") == "SubscriptionConfirmation" {
		var message struct{ Token string }
		json.Unmarshal(body, &message)
		confirm, _ := http.NewRequest("GET", registry+"/v1/subscriptions/confirm?token="+message.Token, nil)
		confirm.Header.Set("Authorization", "Bearer "+os.Getenv("ACCESS_TOKEN"))
		client := http.Client{Timeout: 10 * time.Second}
		answer, err := client.Do(confirm)
		if err != nil {
			return 500
		}
		defer answer.Body.Close()
		if answer.StatusCode != 200 {
			return 500
		}
		return 200
	}
	lock.Lock()
	defer lock.Unlock()
	if id := request.Header.Get("message-id"); !seen[id] {
		subject, _ := url.PathUnescape(request.Header.Get("subject"))
		fmt.Println(subject, string(body))
		seen[id] = true
	}
	return 200
}

func main() {
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		response.WriteHeader(receive(request))
	})
	http.ListenAndServe(":"+os.Getenv("PORT"), nil)
}
