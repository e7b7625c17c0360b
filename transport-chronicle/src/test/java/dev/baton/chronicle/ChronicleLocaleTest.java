package dev.baton.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chronicle in a locale whose digits are others than 0 to 9, or whose decimal separator is a comma. */
@Tag("slow")
@Timeout(60)
class ChronicleLocaleTest {
    private final TemporaryDirectory directory = new TemporaryDirectory();

    @AfterEach
    void remove() {
        directory.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ar-EG", "fa-IR"})
    void otherDigitsAreRefusedWithTheRemedy(String tag) {
        try (QueueProcess child = writesAndReads(tag)) {
            assertThat(child.line())
                    .contains("TransportException", "the locale " + tag.replace('-', '_'), "-Duser.language.format=en");
        }
        try (QueueProcess child = writesAndReads(tag, "-Duser.language.format=en")) {
            assertThat(child.line()).isEqualTo(tag + " read [frame]");
        }
    }

    @Test
    void decimalCommasMakeNoDifference() {
        try (QueueProcess child = writesAndReads("de-DE")) {
            assertThat(child.line()).isEqualTo("de-DE read [frame]");
        }
    }

    private QueueProcess writesAndReads(String tag, String... more) {
        Locale locale = Locale.forLanguageTag(tag);
        List<String> flags = new ArrayList<>(List.of(more));
        flags.add("-Duser.language=" + locale.getLanguage());
        flags.add("-Duser.country=" + locale.getCountry());
        return QueueProcess.startWith(
                flags, WritesAndReads.class, directory.path().toString());
    }

    static final class WritesAndReads {
        private WritesAndReads() {}

        public static void main(String[] arguments) {
            try (Topic topic = Topic.in(Path.of(arguments[0]))) {
                Topic.write(topic.writer(), "frame");
                System.out.println(Locale.getDefault().toLanguageTag() + " read " + Topic.poll(topic.reader(), 10));
            }
        }
    }
}
