package dev.baton.operations.verify;

import dev.baton.deadletters.DeadLetter;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.Subcommand;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Transport;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code baton dead-letters}: lists the messages that services could not process, with the reasons. */
@Command(
        name = "dead-letters",
        sortOptions = false,
        subcommands = RedriveCommand.class,
        description = {
            "Lists the messages that services could not process, oldest first, with topic and sequence, service, attempts, type,"
                    + " length and exception. Changes nothing; the topics may be in use.",
            "Chronicle: a directory of topics, or the directory of one; only read, not opened by Chronicle. Kafka: names"
                    + " of topics, or of chains, and --bootstrap-servers. Aeron Archive: such names, and -o driver=DIR."
        },
        footer = {
            "",
            "Reads topics whose names end in .dead-letters; for the name of a chain, those of its services.",
            "'baton dead-letters redrive' sends them again.",
            "Exit codes: 0 listed, also when there are none; 2 usage error, or no such topic; 3 cannot be opened; 130"
                    + " interrupted."
        })
public final class DeadLettersCommand extends Subcommand {
    private static final int MOST_HEX = 256;

    /** Ends the reading. */
    static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Mixin
    private StoredTopics topics;

    @Option(
            names = "--payloads",
            description = "print the payloads as well, in hexadecimal, " + MOST_HEX + " bytes of each at most")
    private boolean printsPayloads;

    @Override
    public Integer call() {
        return topics.read(known(), this::list);
    }

    private int list(Transport transport, Set<String> chosen) {
        List<String> letters = lettersOf(transport.topics(), chosen);
        Optional<Long> count = interruption()
                .reading(() -> letters.stream()
                        .mapToLong(topic -> DeadLetter.readAll(transport, topic, this::print))
                        .sum());
        if (interruption().isRequested() || count.isEmpty()) {
            console().complain("baton: interrupted; the letters read so far are above");
            return ExitCode.INTERRUPTED;
        }
        console()
                .print(List.of(Units.counted(letters.size(), "dead-letter topic") + ", "
                        + Units.counted(count.get(), "letter")));
        return ExitCode.OK;
    }

    /** Returns the named topics of dead letters, and those of the named input topics, including those of additional consumers. */
    static List<String> lettersOf(Set<String> all, Set<String> chosen) {
        return all.stream().filter(topic -> isOf(topic, chosen)).sorted().toList();
    }

    private static boolean isOf(String topic, Set<String> chosen) {
        String input = DeadLetter.inputOf(topic);
        return input != null && (chosen.contains(topic) || chosen.contains(input));
    }

    private void print(DeadLetter letter) {
        String why = !letter.isDescribed()
                ? "retention has removed the description of the failure; the letter can be sent again"
                : letter.exception() + (letter.text().isEmpty() ? "" : ": " + letter.text());
        String who = letter.isDescribed()
                ? letter.service() + ", " + Units.counted(letter.attempts(), "attempt")
                : "unknown";
        TextReport report = new TextReport(terminal())
                .line(letter.topic() + " " + letter.sequence() + "  " + who + ", type " + letter.type() + ", "
                        + Units.bytes(letter.payload().length))
                .text("    ", Terminal.printable(why));
        if (printsPayloads) {
            int length = Math.min(MOST_HEX, letter.payload().length);
            report.text("    ", HexFormat.ofDelimiter(" ").formatHex(letter.payload(), 0, length));
        }
        console().print(report.lines());
        requireNoInterruption();
    }

    /** Ends a callback's caller when a signal has come. */
    void requireNoInterruption() {
        if (interruption().isRequested()) {
            throw new Interrupted();
        }
    }
}
