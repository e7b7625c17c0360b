package dev.baton.operations.verify;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.ChosenTransport;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.line.OneTransportOptions;
import dev.baton.operations.line.TransportSettings;
import dev.baton.operations.settings.Subject;
import dev.baton.operations.terminal.Units;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code baton verify}: whether topics hold what was written to them. */
@Command(
        name = "verify",
        sortOptions = false,
        description = {
            "Reads topics from their oldest frame to their end and tells what is missing, repeated, out of order or"
                    + " damaged, and where. Changes nothing, also while the topics are in use.",
            "Chronicle: a directory of topics, or the directory of one; only read, not opened by Chronicle. Kafka: names"
                    + " of topics, or of chains, and --bootstrap-servers."
        },
        footer = {
            "",
            "A cause that a topic's frame names has to be in the topic before it of the same chain (NAME-0, NAME-1 ...),"
                    + " in the same partition (NAME-0@3, NAME-1@3 ...), if both are read.",
            "Exit codes: 0 clean, 1 not as written, 2 usage error, or no topic there, 3 cannot be opened,",
            "130 interrupted."
        })
public final class VerifyCommand implements Callable<Integer> {
    private static final String QUEUE_FILES = "{*.cq4,*.cq4t,baton.topic}";
    private static final long PROGRESS_NANOS = 1_000_000_000L;
    private static final String CLEAR = "\r\u001b[K";

    @Parameters(arity = "1..*", paramLabel = "DIR|TOPIC", description = "what to read")
    private List<String> places;

    @Mixin
    private OneTransportOptions transport;

    private final Console console;
    private final KnownTransports known;
    private final Interruption interruption;
    private long shownAt = System.nanoTime();
    private boolean isShowing;

    public VerifyCommand(Console console, KnownTransports known, Interruption interruption) {
        this.console = console;
        this.known = known;
        this.interruption = interruption;
    }

    @Override
    public Integer call() {
        ChosenTransport chosen = transport();
        if (!TransportSettings.has(chosen.provider(), Subject.DIRECTORY)) {
            return verify(chosen, chosen.options(), places);
        }
        int worst = ExitCode.OK;
        for (String place : places) {
            Path directory = directory(place);
            boolean isTopic = isTopic(directory);
            Map<String, String> options = new TreeMap<>(chosen.options());
            Path root = isTopic ? directory.toAbsolutePath().normalize().getParent() : directory;
            options.put(Subject.DIRECTORY, String.valueOf(root));
            List<String> topics = isTopic
                    ? List.of(
                            directory.toAbsolutePath().normalize().getFileName().toString())
                    : List.of();
            worst = Math.max(worst, verify(chosen, options, topics));
        }
        return worst;
    }

    private ChosenTransport transport() {
        ChosenTransport one = transport.choose(known);
        String name = one.provider().name();
        Checks.require(
                one.provider().guarantees().contains(Guarantee.DURABLE),
                "--transport " + name + " keeps no topics that could be read; one that does is chronicle, or kafka");
        Checks.require(
                !one.options().containsKey(Subject.DIRECTORY),
                "-o dir=... is not needed here: name the directory itself");
        return one;
    }

    private static Path directory(String typed) {
        Path directory = Path.of(typed);
        Checks.require(!typed.isBlank(), "an empty path; the directory that you are in is written .");
        if (!Files.isDirectory(directory)) {
            throw CommandException.environment(
                    typed + (Files.exists(directory) ? " is no directory" : " does not exist")
                            + "; name a directory of topics, or the directory of one; topics of Kafka need --transport"
                            + " kafka");
        }
        return directory;
    }

    private static boolean isTopic(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, QUEUE_FILES)) {
            return files.iterator().hasNext();
        } catch (IOException unreadable) {
            throw CommandException.environment(directory + " cannot be read: " + unreadable, unreadable);
        }
    }

    /** @param names of topics or chains; none: all that there are */
    private int verify(ChosenTransport chosen, Map<String, String> options, List<String> names) {
        try (Transport transport = chosen.provider().openForInspection(options)) {
            Set<String> topics = names.isEmpty() ? transport.topics() : chosenOf(transport.topics(), names, options);
            if (topics.isEmpty()) {
                throw CommandException.usage(options.get(Subject.DIRECTORY)
                        + " holds no topic, and is none: no directory in it holds baton.topic or *.cq4 files. Nothing"
                        + " was read");
            }
            List<TopicAudit> audits;
            try {
                audits = new Audit(transport, this::show, interruption::isRequested).of(topics);
            } finally {
                clear();
            }
            console.print(AuditReport.lines(audits, console.terminal()));
            if (interruption.isRequested()) {
                console.complain("baton: interrupted; what was read so far is above");
                return ExitCode.INTERRUPTED;
            }
            return audits.stream().allMatch(TopicAudit::isClean) ? ExitCode.OK : ExitCode.FAILED;
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(wrong.getMessage(), wrong);
        } catch (TransportException failed) {
            throw CommandException.environment(failed.getMessage(), failed);
        }
    }

    /** The topics of these names, or of the chains of these names, with all their partitions. */
    private static Set<String> chosenOf(Set<String> topics, List<String> names, Map<String, String> options) {
        Map<String, List<String>> partitions = topics.stream().collect(Collectors.groupingBy(PartitionTopic::base));
        topics.forEach(topic -> partitions.putIfAbsent(topic, List.of(topic)));
        Set<String> chosen = new LinkedHashSet<>();
        for (String name : names) {
            List<String> found = new ArrayList<>(partitions.getOrDefault(name, List.of()));
            for (int i = 0; !partitions.containsKey(name) && partitions.containsKey(name + "-" + i); i++) {
                found.addAll(partitions.get(name + "-" + i));
            }
            if (found.isEmpty()) {
                throw CommandException.environment("there is no topic '" + name + "', and no chain of that name, at "
                        + options.getOrDefault(Subject.BROKERS, options.get(Subject.DIRECTORY)));
            }
            chosen.addAll(found);
        }
        return chosen;
    }

    private void show(String topic, long frames, long ofAbout) {
        long now = System.nanoTime();
        if (now - shownAt < PROGRESS_NANOS) {
            return;
        }
        shownAt = now;
        String text =
                topic + ": " + Units.count(frames) + " of about " + Units.count(Math.max(frames, ofAbout)) + " frames";
        if (console.terminal().errIsTerminal()) {
            isShowing = true;
            console.err().print(CLEAR + text);
            console.err().flush();
        } else {
            console.complain(text);
        }
    }

    private void clear() {
        if (isShowing) {
            console.err().print(CLEAR);
            console.err().flush();
            isShowing = false;
        }
    }
}
