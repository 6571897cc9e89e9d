# Imports a user twice over Connect (protobuf and JSON), gRPC-Web and gRPC.
export GOBIN="$OUT/bin" PATH="$OUT/bin:$PATH"
go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.11
go install connectrpc.com/connect/cmd/protoc-gen-connect-go@v1.21.1
npx buf generate --template test/foreign/connect-go/buf.gen.yaml --output "$OUT"
cp test/foreign/connect-go/{go.mod,go.sum,main.go} "$OUT"
cd "$OUT" && go run .
