package dev.baton.operations.verify;

import dev.baton.deadletters.DeadLetter;
import dev.baton.deadletters.Redrive;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Transport;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code baton dead-letters redrive}: sends dead letters to their services again. */
@Command(
        name = "redrive",
        sortOptions = false,
        description = {
            "Appends each dead letter that was not yet sent again to its service's input topic, once. The letters remain"
                    + " listed.",
            "Stop the writer of that topic first: the inlet's process, or the service before it. The service itself may run.",
            "Chronicle: a directory of topics, or the directory of one. Kafka: names of topics, or of chains, and"
                    + " --bootstrap-servers."
        },
        footer = {
            "",
            "Over Chronicle a topic with a running writer is refused. Over Kafka a topic that grows within two seconds is"
                    + " refused; an idle writer is replaced, and its chain stops.",
            "After an interruption or a kill run it again: it sends no letter twice that the input topic still contains.",
            "Letters of taps and branches are refused: their messages would reach every reader of the topic.",
            "Exit codes: 0 sent, also when there was nothing to send; 2 usage error, letters refused, or no such topic; 3 in use, or cannot"
                    + " be opened; 130 interrupted."
        })
public final class RedriveCommand implements Callable<Integer> {
    @Mixin
    private StoredTopics topics;

    @ParentCommand
    private DeadLettersCommand letters;

    @Override
    public Integer call() {
        return topics.write(letters.known(), this::redrive);
    }

    private int redrive(Transport transport, Set<String> chosen) {
        List<String> found = DeadLettersCommand.lettersOf(transport.topics(), chosen);
        long count = 0;
        int code = ExitCode.OK;
        for (String topic : found) {
            if (letters.interruption().isRequested()) {
                letters.console()
                        .complain(
                                "baton: interrupted before '" + topic + "'; the messages sent again are listed above");
                return ExitCode.INTERRUPTED;
            }
            try {
                Redrive.Report report = Redrive.run(transport, topic, this::print);
                print(report);
                count += report.sent();
            } catch (DeadLettersCommand.Interrupted end) {
                letters.console()
                        .complain("baton: interrupted in '" + topic + "'; the messages sent again are listed above");
                return ExitCode.INTERRUPTED;
            } catch (IllegalArgumentException refused) {
                letters.console().complain("baton: " + refused.getMessage());
                code = ExitCode.USAGE;
            }
        }
        letters.console()
                .print(List.of(Units.counted(found.size(), "dead-letter topic") + ", " + Units.counted(count, "message")
                        + " sent again"));
        return code;
    }

    private void print(DeadLetter letter, long sequence) {
        letters.console()
                .print(List.of(letter.topic() + " " + letter.sequence() + "  "
                        + (letter.isDescribed() ? letter.service() : "unknown") + ", sent again as " + sequence));
        letters.requireNoInterruption();
    }

    private void print(Redrive.Report report) {
        print(report, report.alreadySent(), "message", " had been sent again by a redrive that was cut off");
        print(report, report.repeated(), "letter", " left out: of messages with an earlier letter");
        print(report, report.unreadable(), "letter", " left out: of records that could not be read");
        print(report, report.removed(), "frame", " of letters removed by retention before they were sent again");
    }

    private void print(Redrive.Report report, long count, String what, String why) {
        if (count > 0) {
            letters.console().print(List.of(report.topic() + "  " + Units.counted(count, what) + why));
        }
    }
}
