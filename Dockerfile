# ./baton in a container: docker build -t baton . && docker run --rm --cpus 2 --memory 2g baton chain
#
# The JVMs keep to the container's limits of processors and memory, and reports state what they found. Give trials the memory for
# --heap and what a JVM takes beside it, and mount a directory on /work to keep results.
FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /build
COPY . .
RUN mvn -B -q -ntp -pl laboratory/app -am -Dmaven.test.skip=true package

FROM eclipse-temurin:25-jdk
COPY --from=build /build/baton /build/LICENSE /opt/baton/
COPY --from=build /build/docs/licences.md /opt/baton/
COPY --from=build /build/laboratory/app/target/baton.jar /opt/baton/laboratory/app/target/baton.jar
RUN useradd --create-home baton && mkdir /work && chown baton /work
USER baton
WORKDIR /work
ENTRYPOINT ["/opt/baton/baton"]
CMD ["--help"]
