package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.operations.line.CommandException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was typed and got no clear line once: each gets one, and exit code 2 or 3. */
@Timeout(60)
class HostileArgumentsTest {
    @TempDir
    private Path temporary;

    private final FakeLaboratory laboratory = FakeLaboratory.withRealTransports(Void.class);

    private void refuses(int code, String text, String... arguments) {
        assertThat(laboratory.run(arguments)).as(laboratory.err()).isEqualTo(code);
        assertThat(laboratory.err().lines()).as(laboratory.err()).hasSize(1);
        assertThat(laboratory.err())
                .startsWith("baton: ")
                .contains(text)
                .doesNotContain("this is a bug")
                .hasSizeLessThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/zero", "/dev/null", "/dev/tty"})
    void aDeviceIsNoFileOfArguments(String device) {
        refuses(2, "@" + device + " is not a regular file", "chain", "@" + device);
    }

    @Test
    void deviceAfterOptionIsNoArgumentFile() {
        refuses(2, "@/dev/zero is not a regular file", "chain", "-o", "@/dev/zero");
    }

    @Test
    void aDirectoryIsNoFileOfArguments() {
        refuses(2, "@" + temporary + " is a directory", "chain", "-o", "@" + temporary);
    }

    @Test
    void fileThatNamesADeviceIsRefused() throws IOException {
        Path file = Files.writeString(temporary.resolve("a"), "--rate 1\n@/dev/zero\n");
        refuses(2, "@/dev/zero is not a regular file", "chain", "@" + file);
    }

    @Test
    void aFileOfArgumentsIsSmallText() throws IOException {
        Path large = Files.write(temporary.resolve("large"), new byte[2 << 20]);
        refuses(2, "has more than 1048576 bytes", "chain", "@" + large);
        Path foreign = Files.write(temporary.resolve("foreign"), "--rate=\u00e9".getBytes(StandardCharsets.ISO_8859_1));
        FakeLaboratory another = FakeLaboratory.withRealTransports(Void.class);
        assertThat(another.run("chain", "@" + foreign)).isEqualTo(2);
        assertThat(another.err()).contains("is not text in UTF-8").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"--rate, 100, a", "--chain, x, a", "--out, r, 1b", "--rate, 5, 0", "--out, r, 202e", "--out, r, 2028"})
    void aControlCharacterIsNamedAndNotEchoed(String option, String value, String code) {
        char control = (char) Integer.parseInt(code, 16);
        refuses(2, String.format("control character U+%04X", (int) control), "chain", option, value + control);
        assertThat(laboratory.err().trim().chars().filter(each -> each == control || Character.isISOControl(each)))
                .isEmpty();
    }

    @Test
    void undecodablePathIsRefused() {
        refuses(2, "is not text in ", "chain", "--out", "r\ufffd");
    }

    @Test
    void longValueIsShortened() {
        refuses(2, "xxx... (1000", "chain", "--no-such-option", "x".repeat(10_000));
        FakeLaboratory another = FakeLaboratory.withRealTransports(Void.class);
        another.run("chain", "--transport", "y".repeat(10_000));
        assertThat(another.err()).contains("yyy... (").hasSizeLessThan(1_000);
    }

    @Test
    void veryManyMistakesDoNotFillTheScreen() {
        String[] typed = new String[3_001];
        typed[0] = "chain";
        for (int i = 1; i < typed.length; i++) {
            typed[i] = "--no-such-option-" + i;
        }
        assertThat(laboratory.run(typed)).isEqualTo(2);
        assertThat(laboratory.err()).startsWith("baton: ").hasLineCount(1).hasSizeLessThan(4_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    chain --out ``                        | the path is empty
                    chain --dir ``                        | the path is empty
                    report ``                             | the path is empty
                    verify ``                             | the path is empty
                    chain --jvm ``                        | the path is empty
                    """)
    void emptyPathIsNotTheWorkingDirectory(String line, String text) {
        refuses(2, text, line.replace("``", "").trim().concat(" ").split(" ", -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "\u00a0", "\u3000", "\u2007\u202f"})
    void blankPathIsEmpty(String blanks) {
        refuses(2, "the path is empty", "report", blanks);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    -version                 | '-version' is not allowed
                    -cp x.jar                | '-cp' is not allowed
                    -jar x.jar               | '-jar' is not allowed
                    --version                | '--version' is not allowed
                    @file                    | '@file' is not allowed
                    `-Da="b`                 | quotes have no meaning here
                    """)
    void flagsThatReplaceTheProgramAreRefused(String flags, String text) {
        refuses(2, text, "chain", "--transport", "disruptor", "--jvm-flags", flags);
    }

    @Test
    void anOpenQuoteIsRefusedInOneLine() {
        PrintStream before = System.err;
        ByteArrayOutputStream beside = new ByteArrayOutputStream();
        System.setErr(new PrintStream(beside, true, StandardCharsets.UTF_8));
        try {
            refuses(2, "quotes have no meaning here", "chain", "--transport", "disruptor", "--jvm-flags", "\"-Da=b");
        } finally {
            System.setErr(before);
        }
        assertThat(beside.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uff11\uff10", "\u0661"})
    void digitsOfOtherScriptsAreNoNumber(String number) {
        refuses(2, "is not a number", "chain", "--rate", number);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    chain --trials DIGITS                                | 'DIGITS' is not a whole number
                    chain --trials 0x10                                  | '0x10' is not a whole number
                    chain --seed DIGITS                                  | 'DIGITS' is not a whole number
                    chain --seed +1                                      | '+1' is not a whole number
                    gate src src --trials DIGITS                         | 'DIGITS' is not a whole number
                    chain --threading cooperative:DIGITS                 | unknown threading 'cooperative:DIGITS'
                    chain --arrivals bursts:DIGITS                       | 'bursts:DIGITS' is not known
                    density --transport disruptor --processes DIGITS     | --processes 'DIGITS' is neither
                    density --transport disruptor --processes 1e99999999 | --processes '1e99999999' is neither
                    density --transport disruptor --step DIGITS          | --step 'DIGITS' is neither
                    density --transport disruptor --step DIGITS%         | --step 'DIGITS%' is neither
                    density --transport disruptor --step NaN%            | --step 'NaN%' is neither
                    density --transport disruptor --step 0x1p3%          | --step '0x1p3%' is neither
                    density --transport disruptor --step 5d%             | --step '5d%' is neither
                    top --once DIGITS                                    | 'DIGITS' names no process
                    top --once +80                                       | '+80' names no process
                    top --once --jmx DIGITS                              | 'DIGITS' names no process
                    """)
    void foreignNumberFormatsAreRefused(String line, String text) {
        String digits = "\uff11";
        refuses(
                2,
                text.replace("DIGITS", digits),
                line.replace("DIGITS", digits).split("\\s+"));
    }

    @Test
    void aLimitThatOverflowsIsTooLong() {
        refuses(2, "'9999999999999h' is too long", "density", "--limit", "p99<9999999999999h");
        FakeLaboratory another = FakeLaboratory.withRealTransports(Void.class);
        assertThat(another.run("chain", "--transport", "disruptor", "--idle", "park:9999999999999h"))
                .isEqualTo(2);
        assertThat(another.err()).contains("'9999999999999h' is too long").hasLineCount(1);
    }

    @Test
    void overflowingTimeIsRefused() {
        refuses(2, "'9999999999999h' is too long", "chain", "--duration", "9999999999999h");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --payload | 1.5           | '1.5' is not a size; write one such as
                    --payload | 64q           | '64q' is not a size; write one such as 256, 4k, 64m or 2g
                    --payload | 4g            | --payload 4g is out of range; 0 to 2147483647 bytes
                    -o        | max-payload=2m | max-payload='2m' is not allowed; 0 to 1m bytes
                    """)
    void sizesAreTypedAlike(String option, String size, String text) {
        refuses(2, text, "chain", "--transport", "disruptor", option, size);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --only ,          --dir /tmp         | 2 | --only
                    --only 1 --name a/b --dir /tmp       | 2 | --name:
                    --only 1          --dir /dev/null    | 3 | /dev/null is not a directory
                    --only 1          --dir /dev/null/x  | 3 | /dev/null is not a directory
                    --only 1          --dir /proc/x      | 3 | nothing can be made in /proc
                    """)
    void serviceThatCannotOpenEndsAtOnce(String arguments, int code, String text) {
        refuses(code, text, ("service --chain forwarding " + arguments).split("\\s+"));
    }

    @Test
    void hugeMatrixIsRefusedBeforeItsCreation() throws IOException {
        StringBuilder yaml = new StringBuilder("command: chain\noptions:\n");
        for (String option : new String[] {"rate", "services", "instances"}) {
            yaml.append("  ").append(option).append(": [1");
            for (int i = 2; i <= 1_999; i++) {
                yaml.append(",").append(i);
            }
            yaml.append("]\n");
        }
        Path file = Files.writeString(temporary.resolve("x.yaml"), yaml);
        refuses(2, "7,988,005,999 combinations; 10,000 are the most", "matrix", file.toString());
    }

    @Test
    void theLaboratoryRefusesOtherSystemsThanLinux() {
        assertThatThrownBy(() -> Laboratory.onLinux("Windows 11", null, null))
                .isInstanceOf(CommandException.class)
                .hasMessage(
                        "the laboratory runs on Linux, and this is Windows 11; docs/running.md lists what runs elsewhere");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"block-size=64mb", "block-size=-1k", "min-free=1e6", "batch=0", "roll=yearly", "index-count=9"})
    void impossibleUnusedOptionIsRefused(String option) {
        refuses(2, option.replace('=', ' ').split(" ")[0], "verify", "-o", option, temporary.toString());
    }

    @Test
    void aDirectoryWithoutQueuesIsNotClean() {
        refuses(2, "contains no topic", "verify", temporary.toString());
    }
}
