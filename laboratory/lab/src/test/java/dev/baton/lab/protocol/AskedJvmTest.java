package dev.baton.lab.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.machine.VmFlag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This JVM, compared with what it could have been asked for. */
class AskedJvmTest {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final long HEAP = Long.parseLong(VmFlag.named("MaxHeapSize").value());

    static Stream<List<String>> same() {
        long stack = Long.parseLong(VmFlag.named("ThreadStackSize").value());
        return Stream.of(
                List.of("-Xmx" + HEAP, "processors=" + PROCESSORS),
                List.of("-Xmx" + (HEAP - 1_000)),
                List.of("-Xmx1g", "-Xmx" + (HEAP >> 10) + "k"),
                List.of("-XX:MaxHeapSize=" + HEAP),
                List.of("-Xss" + stack + "k"),
                List.of("-XX:+UseCompressedOops", "-XX:-UseCompressedOops", "-XX:+UseCompressedOops"),
                List.of("-XX:MaxRAMPercentage=25"),
                List.of("-XX:CompileThresholdScaling=1.00"),
                List.of("-Djava.version=" + System.getProperty("java.version"), "-Dbaton.none=1", "-Xlog:gc", "-Xint"),
                List.of("-XX:Flags=.hotspotrc", "--add-opens=java.base/java.nio=ALL-UNNAMED"));
    }

    @ParameterizedTest
    @MethodSource("same")
    void settingsOfThisJvmAreNoDifference(List<String> asked) {
        assertThat(AskedJvm.difference(asked, PROCESSORS)).isNull();
    }

    static Stream<List<String>> other() {
        return Stream.of(
                List.of("-Xmx" + (HEAP + (64 << 20)), "-Xmx"),
                List.of("-Xmx" + HEAP / 2, "MaxHeapSize is "),
                List.of("-XX:-UseCompressedOops", "UseCompressedOops is true"),
                List.of("-XX:ObjectAlignmentInBytes=16", "ObjectAlignmentInBytes is 8"),
                List.of("-XX:MaxRAMPercentage=25.5", "MaxRAMPercentage is 25"),
                List.of("-XX:+NoSuchFlag", "-XX:+NoSuchFlag has no effect on this JVM"),
                List.of("-Djava.version=secret", "the property java.version has another value"),
                List.of("processors=" + (PROCESSORS + 1), "it may use " + PROCESSORS + " processors"));
    }

    @ParameterizedTest
    @MethodSource("other")
    void differentFlagsAreReportedWithActualValues(List<String> askedAndSaid) {
        assertThat(AskedJvm.difference(askedAndSaid.subList(0, 1), PROCESSORS))
                .startsWith("the JVM does not have the requested settings: ")
                .contains(askedAndSaid.get(1))
                .doesNotContain("secret");
    }

    @Test
    void givenProcessorsReplaceTheParents() {
        List<String> asked = new ArrayList<>(List.of("-XX:ActiveProcessorCount=7", "processors=" + (PROCESSORS + 1)));
        assertThat(AskedJvm.difference(asked, PROCESSORS))
                .contains("-XX:ActiveProcessorCount=7 was requested")
                .doesNotContain("it may use");
    }

    @Test
    void missingSettingsAreNotCompared(@TempDir Path directory) throws Exception {
        Path plan = directory.resolve("plan.json");
        assertThat(AskedJvm.difference(plan)).isNull();
        AskedJvm.write(plan, List.of("-XX:-UseCompressedOops", "-Dline=a\nb"), PROCESSORS);
        assertThat(AskedJvm.difference(plan))
                .contains("UseCompressedOops is true")
                .doesNotContain("line");
    }
}
