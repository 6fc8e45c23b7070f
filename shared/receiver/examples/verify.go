// The part of the receiver that verifies a delivery.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

type Jwks struct {
	Keys []struct{ Kid, X string }
}

var names = []string{"message-type", "message-id", "topic-id", "subject", "content-digest"}
var shape = regexp.MustCompile(`(sig\d+)=(\(([^()]*)\);created=(\d+);keyid="([\w-]+)";alg="ed25519")`)

func IsFromRegistry(headers http.Header, body []byte, jwks Jwks) bool {
	value := func(name string) string { return strings.Join(headers.Values(name), ", ") }
	digest := sha256.Sum256(body)
	if value("content-digest") != "sha-256=:"+base64.StdEncoding.EncodeToString(digest[:])+":" {
		return false
	}
	lines, wanted := "", []string{}
	for _, name := range names {
		if len(headers.Values(name)) > 1 {
			return false
		}
		if len(headers.Values(name)) > 0 {
			lines += `"` + name + `": ` + value(name) + "\n"
			wanted = append(wanted, `"`+name+`"`)
		}
	}
	for _, part := range shape.FindAllStringSubmatch(value("signature-input"), -1) {
		created, _ := strconv.ParseFloat(part[4], 64)
		found := regexp.MustCompile(part[1] + `=:([^:]*):`).FindStringSubmatch(value("signature"))
		isFresh := math.Abs(float64(time.Now().Unix())-created) <= 300
		if found == nil || !isFresh || part[3] != strings.Join(wanted, " ") {
			continue
		}
		signature, _ := base64.StdEncoding.DecodeString(found[1])
		for _, key := range jwks.Keys {
			public, err := base64.RawURLEncoding.DecodeString(key.X)
			isIts := err == nil && len(public) == ed25519.PublicKeySize && key.Kid == part[5]
			if isIts && ed25519.Verify(public, []byte(lines+`"@signature-params": `+part[2]), signature) {
				return true
			}
		}
	}
	return false
}
