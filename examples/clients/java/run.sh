# Java 17 and Maven, which downloads the libraries and the protobuf compiler.
mvn --quiet --file examples/clients/java/pom.xml compile exec:java
