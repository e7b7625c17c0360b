package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chronicle.platform.JvmFlags;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JvmFlagsTest {
    private static final int JAVA = Runtime.version().feature();

    @Test
    void anOldJvmIsNotGivenFlagsThatItWouldRefuse() {
        assertThat(JvmFlags.of(17))
                .noneMatch(flag -> flag.contains("unsafe"))
                .contains("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
        assertThat(JvmFlags.of(22)).isEqualTo(JvmFlags.of(17));
        assertThat(JvmFlags.of(23)).contains("--sun-misc-unsafe-memory-access=allow");
        assertThat(JvmFlags.of(25)).contains("--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void theProviderAnswersThem() {
        assertThat(new ChronicleProvider().jvmFlags(25)).isEqualTo(JvmFlags.of(25));
    }

    @Test
    @Tag("crash")
    void aJvmWithoutFlagsIsToldAllOfThemInOneLine() throws InterruptedException {
        String line = open(List.of());

        assertThat(line).startsWith("TransportException: ").contains(String.join(" ", neededFlags()));
    }

    @ParameterizedTest
    @MethodSource("neededFlags")
    @Tag("crash")
    void aJvmThatLacksOneFlagIsToldThatOneAlone(String missing) throws InterruptedException {
        List<String> others = new ArrayList<>(JvmFlags.of(JAVA));
        others.remove(missing);

        String line = open(others);

        assertThat(line).contains(missing);
        assertThat(others).noneMatch(line::contains);
    }

    @Test
    @Tag("crash")
    void aJvmWithAllFlagsPrintsNothingButWhatItIsToldTo() throws InterruptedException {
        assertThat(open(JvmFlags.of(JAVA))).isEqualTo("opened");
    }

    static List<String> neededFlags() {
        return JvmFlags.of(JAVA).stream()
                // these two only silence warnings
                .filter(flag -> !flag.startsWith("--enable-native-access"))
                .filter(flag -> !flag.contains("unsafe"))
                .toList();
    }

    private static String open(List<String> flags) throws InterruptedException {
        try (TemporaryDirectory directory = new TemporaryDirectory();
                ChildJvm child =
                        ChildJvm.start(flags, Opener.class, directory.path().toString())) {
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
