// Imports a user twice over each of the protocols of connect-go, and prints the details of the second call's error.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	signetv1 "signet-connect/gen/signet/v1"
	"signet-connect/gen/signet/v1/signetv1connect"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	callWith(ctx, "connect", http.DefaultClient)
	callWith(ctx, "connect", http.DefaultClient, connect.WithProtoJSON())
	callWith(ctx, "grpcweb", http.DefaultClient, connect.WithGRPCWeb())
	var http2 http.Protocols
	http2.SetUnencryptedHTTP2(true)
	callWith(ctx, "grpc", &http.Client{Transport: &http.Transport{Protocols: &http2}}, connect.WithGRPC())
}

func callWith(ctx context.Context, protocol string, httpClient *http.Client, options ...connect.ClientOption) {
	baseURL := "http://" + os.Getenv("SIGNET_ADDRESS")
	management := signetv1connect.NewManagementServiceClient(httpClient, baseURL, options...)
	user := &signetv1.ImportHumanUserRequest{
		UserName: fmt.Sprintf("ada-%d", time.Now().UnixNano()),
		Profile:  &signetv1.ImportHumanUserRequest_Profile{FirstName: "Ada", LastName: "Lovelace"},
		Email:    &signetv1.ImportHumanUserRequest_Email{Email: "ada@example.com", IsEmailVerified: true},
	}
	newRequest := func() *connect.Request[signetv1.ImportHumanUserRequest] {
		request := connect.NewRequest(user)
		request.Header().Set("authorization", "Bearer "+os.Getenv("SIGNET_TOKEN"))
		return request
	}
	imported, err := management.ImportHumanUser(ctx, newRequest())
	if err != nil {
		log.Fatal(protocol, err)
	}
	_, err = management.ImportHumanUser(ctx, newRequest())
	fmt.Printf("%s: imported %s, then %v %s\n", protocol, imported.Msg.UserId, connect.CodeOf(err), reasonOf(err))
}

func reasonOf(err error) string {
	var failure *connect.Error
	if !errors.As(err, &failure) {
		return "no Connect error"
	}
	for _, detail := range failure.Details() {
		value, err := detail.Value()
		if err != nil {
			continue
		}
		if info, ok := value.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	return "no ErrorInfo"
}
