# Go 1.22 or newer with its module proxy, and the plugins protoc-gen-go and protoc-gen-go-grpc.
npx buf generate --template examples/clients/go/buf.gen.yaml --output "$OUT"
mv "$OUT/signet/gen" "$OUT/gen"
cp examples/clients/go/go.mod examples/clients/go/main.go "$OUT"
(cd "$OUT" && go mod tidy && go run .)
