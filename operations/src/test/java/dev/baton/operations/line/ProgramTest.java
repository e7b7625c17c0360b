package dev.baton.operations.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.operations.Operations;
import dev.baton.operations.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the process makes of an output that takes nothing, and of failures that no command foresaw. */
@Timeout(60)
class ProgramTest {
    @TempDir
    private Path temporary;

    @Test
    void fullOutputIsReportedAsFailure() throws Exception {
        assertThat(run("transports >/dev/full")).isEqualTo(3);
        assertThat(err())
                .startsWith("baton: cannot write to standard output: No space left on device")
                .hasLineCount(1);
        assertThat(run("transports >&-")).isEqualTo(3);
        assertThat(err()).startsWith("baton: cannot write to standard output: ").hasLineCount(1);
    }

    @Test
    void closedReaderIsNoFailure() throws Exception {
        assertThat(run("transports | head -n 1 >out")).isZero();
        assertThat(err()).isEmpty();
        assertThat(temporary.resolve("out")).content().hasLineCount(1);
    }

    @Test
    void unforeseenFailureIsReportedInOneLine() {
        StringWriter err = new StringWriter();
        Console console = new Console(
                new PrintWriter(Writer.nullWriter()), new PrintWriter(err), new Terminal(false, false, 100, false));
        assertThat(Program.execute(
                        () -> {
                            throw new IllegalStateException("two\nlines\u001b");
                        },
                        new String[0],
                        console))
                .isEqualTo(ExitCode.ENVIRONMENT);
        assertThat(err.toString().strip())
                .isEqualTo("baton: this is a bug: java.lang.IllegalStateException: two lines\\u001b");
    }

    private String err() throws Exception {
        return Files.readString(temporary.resolve("err"));
    }

    private int run(String typed) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "exec 2>err; \"$0\" -XX:TieredStopAtLevel=1 \"$1\" " + typed,
                        java,
                        Operations.class.getName())
                .directory(temporary.toFile());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        assertThat(process.waitFor(50, TimeUnit.SECONDS)).as("ended").isTrue();
        return process.exitValue();
    }
}
