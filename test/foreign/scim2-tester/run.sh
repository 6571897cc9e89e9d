# Checks the SCIM endpoint with a conformance tester.
python3 -m venv "$OUT/venv"
"$OUT/venv/bin/pip" install --quiet --disable-pip-version-check -r test/foreign/scim2-tester/requirements.txt
"$OUT/venv/bin/python" test/foreign/scim2-tester/check.py
