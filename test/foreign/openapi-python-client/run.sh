# Generates a client from the OpenAPI document, and imports a user twice with it.
python3 -m venv "$OUT/venv"
"$OUT/venv/bin/pip" install --quiet --disable-pip-version-check openapi-python-client==0.29.1
"$OUT/venv/bin/openapi-python-client" generate --path gen/openapi.json --output-path "$OUT/client" --meta none \
  --config test/foreign/openapi-python-client/config.yaml --fail-on-warning
PYTHONPATH="$OUT" "$OUT/venv/bin/python" test/foreign/openapi-python-client/run.py
