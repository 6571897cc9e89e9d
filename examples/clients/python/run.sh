# Python 3.9 or newer with venv. The package grpcio-tools contains the protobuf compiler.
python3 -m venv "$OUT/venv"
"$OUT/venv/bin/pip" install --quiet --disable-pip-version-check --requirement examples/clients/python/requirements.txt
"$OUT/venv/bin/python" -m grpc_tools.protoc --proto_path proto --python_out "$OUT" --grpc_python_out "$OUT" \
  proto/signet/v1/*.proto proto/buf/validate/*.proto
PYTHONPATH="$OUT" "$OUT/venv/bin/python" examples/clients/python/client.py
"$OUT/venv/bin/python" examples/clients/python/reflect.py
