# Lists the services, imports a user twice over reflection, and expects the details of the second call's error.
GOBIN="$OUT/bin" go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3
call() {
  "$OUT/bin/grpcurl" -plaintext -max-time 10 "$@"
}
call "$SIGNET_ADDRESS" list
call "$SIGNET_ADDRESS" describe signet.v1.ImportHumanUserRequest
user='{"userName":"grpcurl","profile":{"firstName":"Ada","lastName":"Lovelace"},"email":{"email":"ada@example.com","isEmailVerified":true}}'
call -H "authorization: Bearer $SIGNET_TOKEN" -d "$user" "$SIGNET_ADDRESS" signet.v1.ManagementService/ImportHumanUser
! call -format-error -H "authorization: Bearer $SIGNET_TOKEN" -d "$user" "$SIGNET_ADDRESS" signet.v1.ManagementService/ImportHumanUser 2>"$OUT/error"
cat "$OUT/error"
