# Debian: protobuf-compiler protobuf-compiler-grpc ruby-grpc.
npx buf generate --template examples/clients/ruby/buf.gen.yaml --output "$OUT"
ruby -I "$OUT" examples/clients/ruby/client.rb
