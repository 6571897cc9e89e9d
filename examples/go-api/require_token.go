package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// The claims of an access token.
type claims struct {
	Subject string `json:"sub"`
	Scope   string `json:"scope"`
}

// A check returns errInvalid for a token that is not accepted, and any other error if it could not be checked.
type check func(ctx context.Context, token string) (claims, error)

var errInvalid = errors.New("the token is not valid")

// introspection asks Signet about each token (RFC 7662), so a token that was revoked is rejected immediately. The audience
// is the identifier of the API, and the introspector an application that may introspect its tokens.
func introspection(issuer string, introspector app, audience string) check {
	client := http.Client{Timeout: 5 * time.Second}
	return func(ctx context.Context, token string) (claims, error) {
		fields := url.Values{"token": {token}, "token_type_hint": {"access_token"}}
		request, err := http.NewRequestWithContext(ctx, "POST", issuer+"/oauth/v2/introspect", strings.NewReader(fields.Encode()))
		if err != nil {
			return claims{}, err
		}
		request.SetBasicAuth(introspector.ClientID, introspector.ClientSecret)
		request.Header.Set("content-type", "application/x-www-form-urlencoded")
		response, err := client.Do(request)
		if err != nil {
			return claims{}, err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return claims{}, fmt.Errorf("the introspection failed with status %d", response.StatusCode)
		}
		var found struct {
			claims
			Active    bool   `json:"active"`
			Audience  string `json:"aud"`
			TokenType string `json:"token_type"`
		}
		if err := json.NewDecoder(response.Body).Decode(&found); err != nil {
			return claims{}, err
		}
		// A refresh token is active too, but has no token_type.
		if !found.Active || found.TokenType != "Bearer" || found.Audience != audience {
			return claims{}, errInvalid
		}
		return found.claims, nil
	}
}

// signature verifies JSON Web Tokens (RFC 9068) with the keys of Signet, without a request for each. A token is accepted
// until it expires.
func signature(issuer, audience string) check {
	keys := oidc.NewRemoteKeySet(context.Background(), issuer+"/oauth/v2/keys")
	verifier := oidc.NewVerifier(issuer, keys, &oidc.Config{ClientID: audience, SupportedSigningAlgs: []string{oidc.RS256}})
	return func(ctx context.Context, token string) (claims, error) {
		if typeOf(token) != "at+jwt" {
			return claims{}, errInvalid
		}
		verified, err := verifier.Verify(ctx, token)
		if err != nil {
			// This includes keys that could not be loaded.
			log.Print(err)
			return claims{}, errInvalid
		}
		var found claims
		if err := verified.Claims(&found); err != nil {
			return claims{}, errInvalid
		}
		return found, nil
	}
}

// typeOf returns the header that tells access tokens from ID tokens, which have the same issuer and key.
func typeOf(token string) string {
	header, _, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(header)
	var found struct {
		Type string `json:"typ"`
	}
	if err != nil || json.Unmarshal(text, &found) != nil {
		return ""
	}
	return strings.ToLower(found.Type)
}

// requireToken requires an access token with these scopes.
func requireToken(check check, scopes []string, next func(http.ResponseWriter, claims)) http.Handler {
	return http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		scheme, token, _ := strings.Cut(request.Header.Get("authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || token == "" {
			reject(response, http.StatusUnauthorized, "Bearer")
			return
		}
		claims, err := check(request.Context(), token)
		switch {
		case errors.Is(err, errInvalid):
			reject(response, http.StatusUnauthorized, `Bearer error="invalid_token"`)
		case err != nil:
			log.Print(err)
			http.Error(response, "unavailable", http.StatusServiceUnavailable)
		case !hasAll(claims.Scope, scopes):
			reject(response, http.StatusForbidden, fmt.Sprintf(`Bearer error="insufficient_scope", scope="%s"`, strings.Join(scopes, " ")))
		default:
			next(response, claims)
		}
	})
}

func hasAll(granted string, scopes []string) bool {
	all := strings.Fields(granted)
	return !slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(all, scope) })
}

func reject(response http.ResponseWriter, status int, challenge string) {
	response.Header().Set("www-authenticate", challenge)
	http.Error(response, http.StatusText(status), status)
}
