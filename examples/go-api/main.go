// An API that checks access tokens: `go run . introspection <API> <application>`, or `go run . jwt <application>`. The
// files are the output of `signet app create --json`: for the API itself, and for the application whose users may call
// it. It listens on http://localhost:3001.
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
	mode, files := os.Args[1], os.Args[2:]
	issuer := cmp.Or(os.Getenv("SIGNET_URL"), "http://localhost:8080")
	port := cmp.Or(os.Getenv("API_PORT"), "3001")
	audience := read(files[len(files)-1]).ClientID
	check := signature(issuer, audience)
	if mode == "introspection" {
		check = introspection(issuer, read(files[0]), audience)
	}

	http.Handle("GET /orders", requireToken(check, nil, func(response http.ResponseWriter, claims claims) {
		reply(response, map[string]any{"user": claims.Subject, "orders": []string{}})
	}))
	http.Handle("GET /profile", requireToken(check, []string{"profile"}, func(response http.ResponseWriter, claims claims) {
		reply(response, map[string]any{"user": claims.Subject})
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
