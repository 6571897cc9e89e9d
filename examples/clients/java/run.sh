# Debian: default-jdk-headless protobuf-compiler protobuf-compiler-grpc-java-plugin libgrpc-java libgoogle-gson-java
# libgeronimo-annotation-1.3-spec-java libnetty-java libperfmark-java.
npx buf generate --template examples/clients/java/buf.gen.yaml --output "$OUT"
classpath=$(find /usr/share/java -regextype posix-extended \
  -regex '.*/(grpc-(api|context|core|netty|protobuf|protobuf-lite|stub)|protobuf|guava|failureaccess|netty-[a-z0-9-]+|perfmark-api|gson|jsr305|geronimo-annotation-1.3-spec|opencensus-api)\.jar' | paste -sd:)
javac -nowarn -d "$OUT/classes" -cp "$classpath" examples/clients/java/Client.java $(find "$OUT" -name '*.java')
java -cp "$OUT/classes:$classpath" Client
