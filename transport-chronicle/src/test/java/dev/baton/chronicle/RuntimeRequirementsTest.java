package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chronicle.platform.RuntimeRequirements;
import dev.baton.spi.errors.TransportException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuntimeRequirementsTest {
    private static final int JAVA = Runtime.version().feature();

    @ParameterizedTest
    @ValueSource(strings = {"Mac OS X", "Windows 11", "FreeBSD"})
    void otherSystemsThanLinuxAreRefused(String system) {
        assertThatThrownBy(() -> RuntimeRequirements.requireLinux(system))
                .isInstanceOf(TransportException.class)
                .hasMessageStartingWith("chronicle writes topics on Linux, and this is " + system)
                .hasMessageEndingWith("use disruptor or kafka");
    }

    @Test
    void linuxIsAllowed() {
        assertThatCode(() -> RuntimeRequirements.requireLinux("Linux")).doesNotThrowAnyException();
    }

    @Test
    void flagsFollowTheVersionOfTheJvm() {
        assertThat(RuntimeRequirements.jvmFlags(17))
                .noneMatch(flag -> flag.contains("unsafe"))
                .contains("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
        assertThat(RuntimeRequirements.jvmFlags(22)).isEqualTo(RuntimeRequirements.jvmFlags(17));
        assertThat(RuntimeRequirements.jvmFlags(23)).contains("--sun-misc-unsafe-memory-access=allow");
        assertThat(RuntimeRequirements.jvmFlags(25)).contains("--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void theProviderReturnsTheFlags() {
        assertThat(new ChronicleProvider().jvmFlags(25)).isEqualTo(RuntimeRequirements.jvmFlags(25));
    }

    @Test
    @Tag("slow")
    void allMissingFlagsAreReportedInOneLine() throws InterruptedException {
        String line = open(List.of());

        assertThat(line).startsWith("TransportException: ").contains(String.join(" ", neededFlags()));
    }

    @ParameterizedTest
    @MethodSource("neededFlags")
    @Tag("slow")
    void oneMissingFlagIsReportedAlone(String missing) throws InterruptedException {
        List<String> others = new ArrayList<>(RuntimeRequirements.jvmFlags(JAVA));
        others.remove(missing);

        String line = open(others);

        assertThat(line).contains(missing);
        assertThat(others).noneMatch(line::contains);
    }

    @Test
    @Tag("slow")
    void aJvmWithAllFlagsPrintsNothingElse() throws InterruptedException {
        assertThat(open(RuntimeRequirements.jvmFlags(JAVA))).isEqualTo("opened");
    }

    static List<String> neededFlags() {
        return RuntimeRequirements.jvmFlags(JAVA).stream()
                // these two only silence warnings
                .filter(flag -> !flag.startsWith("--enable-native-access"))
                .filter(flag -> !flag.contains("unsafe"))
                .toList();
    }

    private static String open(List<String> flags) throws InterruptedException {
        try (TemporaryDirectory directory = new TemporaryDirectory();
                QueueProcess child =
                        QueueProcess.start(flags, Opener.class, directory.path().toString())) {
            String line = child.line();
            assertThat(child.line()).as("a second line").isNull();
            assertThat(child.exitCode()).isZero();
            return line;
        }
    }

    /** Opens a topic and says how it went. */
    static final class Opener {
        private Opener() {}

        public static void main(String[] arguments) {
            try (Topic topic = Topic.in(Path.of(arguments[0]))) {
                Topic.write(topic.writer(), "a");
                System.out.println("opened");
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }
}
