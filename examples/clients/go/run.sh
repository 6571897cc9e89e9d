# Go 1.25 or newer, which downloads the libraries and plugins.
export GOBIN="$OUT/bin" PATH="$OUT/bin:$PATH"
go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.11
go install google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.1
npx buf generate --template examples/clients/go/buf.gen.yaml --output "$OUT"
cp examples/clients/go/{go.mod,go.sum,main.go} examples/clients/service-config.json "$OUT"
(cd "$OUT" && go run .)
