package main

import (
	"context"
	_ "embed"
	"fmt"
	"log"
	"os"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	signetv1 "signet-client/gen/signet/v1"
)

//go:embed service-config.json
var serviceConfig string

func main() {
	channel, err := grpc.NewClient(
		os.Getenv("SIGNET_ADDRESS"),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultServiceConfig(serviceConfig),
	)
	if err != nil {
		log.Fatal(err)
	}
	defer channel.Close()
	management := signetv1.NewManagementServiceClient(channel)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+os.Getenv("SIGNET_TOKEN"))
	request := &signetv1.ImportHumanUserRequest{
		UserName: fmt.Sprintf("ada-%d", time.Now().UnixNano()),
		Profile:  &signetv1.ImportHumanUserRequest_Profile{FirstName: "Ada", LastName: "Lovelace"},
		Email:    &signetv1.ImportHumanUserRequest_Email{Email: "ada@example.com", IsEmailVerified: true},
	}

	imported, err := management.ImportHumanUser(ctx, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("imported", imported.UserId)
	_, err = management.ImportHumanUser(ctx, request)
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			fmt.Println("failed", status.Code(err), info.Reason)
		}
	}
}
