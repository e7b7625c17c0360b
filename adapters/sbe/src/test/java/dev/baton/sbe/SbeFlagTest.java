package dev.baton.sbe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.sbe.orders.OrderEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A JVM without the flag that Agrona needs. */
class SbeFlagTest {
    /** The main method of the child process. */
    public static void main(String[] arguments) {
        try {
            SbeWriter.of(new OrderEncoder());
        } catch (IllegalStateException thrown) {
            System.out.print(thrown.getMessage());
        }
    }

    @Test
    void missingFlagIsNamed() throws Exception {
        Process jvm = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SbeFlagTest.class.getName())
                .start();
        try {
            assertThat(new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("Agrona needs the JVM flag --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED to read"
                            + " and write SBE");
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }
}
