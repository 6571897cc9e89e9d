# Debian: protobuf-compiler protobuf-compiler-grpc python3-grpcio python3-protobuf.
npx buf generate --template examples/clients/python/buf.gen.yaml --output "$OUT"
PYTHONPATH="$OUT" "${PYTHON:-python3}" examples/clients/python/client.py
PYTHONPATH="$OUT" "${PYTHON:-python3}" examples/clients/python/reflect.py
