# Installs Authlib and Flask, and checks the API that the example serves.
cp -r examples/flask "$OUT/api"
python3 -m venv "$OUT/venv"
"$OUT/venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$OUT/api/requirements.txt"
node test/foreign/apis/check-api.ts "$OUT/api" "$OUT/venv/bin/python" api.py
