package dev.baton.operations.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Chain;
import dev.baton.ErrorPolicy;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleProvider;
import dev.baton.operations.Operations;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import dev.baton.run.Loops;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code baton dead-letters redrive} prints. */
@Timeout(60)
class RedriveCommandTest {
    private static final int LETTERS = 10;

    @TempDir
    private Path directory;

    private final Interruption interruption = new Interruption();
    private final StringWriter err = new StringWriter();

    /** A signal comes while the first letter is printed. */
    private final StringWriter out = new StringWriter() {
        @Override
        public void write(String text, int offset, int length) {
            super.write(text, offset, length);
            if (toString().contains("sent again as")) {
                interruption.request();
            }
        }
    };

    @Test
    void anInterruptedRedriveListsAllThatItHasSent() {
        Chain chain = Chain.named("shop")
                .then(
                        "price",
                        () -> (in, outlet) -> {
                            throw new IllegalArgumentException("no price");
                        },
                        ErrorPolicy.deadLetter())
                .build();
        try (Transport transport = transport();
                Loops loops = Loops.cooperative(1);
                RunningChain running = chain.on(transport).with(loops).start()) {
            for (int i = 0; i < LETTERS; i++) {
                running.inlet().send(new byte[8]);
            }
        }
        Console console =
                new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(false, false, 80, false));

        int code = Operations.commandLine(console, KnownTransports.onClassPath(), interruption)
                .execute("dead-letters", "redrive", directory.toString());

        assertThat(code).as(err.toString()).isEqualTo(130);
        assertThat(err.toString()).contains("the messages sent again are listed above");
        long sent;
        try (Transport transport = transport();
                TopicInspector inspector = transport.inspect("shop-0")) {
            sent = inspector.newestSequence() - LETTERS;
        }
        assertThat(sent).isPositive();
        assertThat(out.toString().lines().filter(line -> line.contains("sent again as")))
                .hasSize((int) sent);
    }

    private Transport transport() {
        return new ChronicleProvider().open(Map.of("dir", directory.toString()));
    }
}
