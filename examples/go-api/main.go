// An API that checks access tokens: `go run . <identifier> [introspector]`. The identifier is that of `signet api add`. With
// the output of `signet app create --json` for an application that may introspect its tokens, the API asks Signet about each
// token; otherwise, it verifies signatures. It listens on http://localhost:3001.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
)

type app struct {
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
}

func main() {
	audience := os.Args[1]
	issuer := cmp.Or(os.Getenv("SIGNET_URL"), "http://localhost:8080")
	port := cmp.Or(os.Getenv("API_PORT"), "3001")
	check := signature(issuer, audience)
	if len(os.Args) > 2 {
		check = introspection(issuer, read(os.Args[2]), audience)
	}

	http.Handle("GET /orders", requireToken(check, []string{"orders:read"}, func(response http.ResponseWriter, claims claims) {
		reply(response, map[string]any{"user": claims.Subject, "orders": []string{}})
	}))
	http.Handle("GET /invoices", requireToken(check, []string{"invoices:read"}, func(response http.ResponseWriter, claims claims) {
		reply(response, map[string]any{"user": claims.Subject, "invoices": []string{}})
	}))
	listener, err := net.Listen("tcp", net.JoinHostPort("localhost", port))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://localhost:%s\n", port)
	log.Fatal(http.Serve(listener, nil))
}

func read(file string) (found app) {
	text, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.Unmarshal(text, &found); err != nil {
		log.Fatal(err)
	}
	return found
}

func reply(response http.ResponseWriter, body any) {
	response.Header().Set("content-type", "application/json")
	json.NewEncoder(response).Encode(body)
}
