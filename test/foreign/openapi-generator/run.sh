# Generates a Python client from the OpenAPI document with openapi-generator, and imports a user twice with it.
version=7.25.0
# In the folder, because Maven leaves a file in the current one.
(
  cd "$OUT"
  mvn --batch-mode --quiet org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact=org.openapitools:openapi-generator-cli:$version:jar -DoutputDirectory="$OUT" >&2
)
java -jar "$OUT/openapi-generator-cli-$version.jar" generate --generator-name python --input-spec gen/openapi.json \
  --output "$OUT/client" >"$OUT/generate.log"
python3 -m venv "$OUT/venv"
"$OUT/venv/bin/pip" install --quiet --disable-pip-version-check "$OUT/client"
"$OUT/venv/bin/python" test/foreign/openapi-generator/run.py
