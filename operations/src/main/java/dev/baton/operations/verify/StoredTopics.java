package dev.baton.operations.verify;

import dev.baton.operations.line.Checks;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.ExitCode;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.options.ChosenTransport;
import dev.baton.operations.options.OneTransportOptions;
import dev.baton.operations.options.TransportSettings;
import dev.baton.operations.settings.Subject;
import dev.baton.spi.Guarantee;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToIntBiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Topics of a stopped or running chain, as they are named on a command's line. Confined to one thread. */
public final class StoredTopics {
    private static final int MOST_NAMED = 10;
    private static final String QUEUE_FILES = "{*.cq4,*.cq4t,baton.topic}";

    @Parameters(
            arity = "0..*",
            paramLabel = "DIR|TOPIC",
            description = "directories, or names of topics or chains; one or more")
    private List<String> places = List.of();

    @Mixin
    private OneTransportOptions transport;

    /** Creates options that picocli fills. */
    public StoredTopics() {}

    /** Creates topics from a command line that gives names before the options. */
    public StoredTopics(List<String> places, OneTransportOptions transport) {
        this.places = places;
        this.transport = transport;
    }

    /**
     * Opens the named topics, one directory after the other.
     *
     * @param use reads the topics of one transport and returns an exit code
     * @return the worst exit code
     * @throws CommandException when something named does not exist, or cannot be opened
     */
    public int read(KnownTransports known, ToIntBiFunction<Transport, Set<String>> use) {
        return each(known, TransportProvider::openForInspection, use);
    }

    /** Opens the topics for a command that writes to them. */
    int write(KnownTransports known, ToIntBiFunction<Transport, Set<String>> use) {
        return each(known, TransportProvider::open, use);
    }

    private int each(
            KnownTransports known,
            BiFunction<TransportProvider, Map<String, String>, Transport> opening,
            ToIntBiFunction<Transport, Set<String>> use) {
        Checks.require(
                !places.isEmpty(),
                "no topic is named; name a directory of topics, or topics of the chosen --transport");
        ChosenTransport chosen = chosen(known);
        if (!TransportSettings.has(chosen.provider(), Subject.DIRECTORY)) {
            return open(chosen, opening, places, use);
        }
        int worst = ExitCode.OK;
        for (String place : places) {
            Path directory = directory(place);
            Path whole = directory.toAbsolutePath().normalize();
            boolean isTopic = isTopic(directory);
            List<String> topics = isTopic ? List.of(whole.getFileName().toString()) : List.of();
            worst = Math.max(worst, open(chosen.in(isTopic ? whole.getParent() : directory), opening, topics, use));
        }
        return worst;
    }

    private ChosenTransport chosen(KnownTransports known) {
        ChosenTransport one = transport.choose(known);
        String name = one.provider().name();
        Checks.require(
                one.provider().guarantees().contains(Guarantee.DURABLE),
                "--transport " + name + " keeps no topics that could be read; those that do: "
                        + String.join(", ", known.durable()));
        Checks.require(
                !one.options().containsKey(Subject.DIRECTORY),
                "-o dir=... is not needed here: name the directory itself");
        return one;
    }

    private static Path directory(String typed) {
        Path directory = Path.of(typed);
        Checks.require(!Checks.isBlank(typed), "the path is empty; write . for the working directory");
        if (!Files.isDirectory(directory)) {
            throw CommandException.usage(typed + (Files.exists(directory) ? " is not a directory" : " does not exist")
                    + "; name a directory of topics, or the directory of one; topics of Kafka need --transport"
                    + " kafka, those of an Aeron Archive --transport aeron-archive");
        }
        return directory;
    }

    private static boolean isTopic(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, QUEUE_FILES)) {
            return files.iterator().hasNext();
        } catch (IOException unreadable) {
            throw CommandException.environment(
                    directory + " cannot be read: " + CommandException.reason(unreadable), unreadable);
        }
    }

    /**
     * Opens the transport and its topics.
     *
     * @param names of topics or chains; empty: all stored ones
     */
    private static int open(
            ChosenTransport chosen,
            BiFunction<TransportProvider, Map<String, String>, Transport> opening,
            List<String> names,
            ToIntBiFunction<Transport, Set<String>> use) {
        return Checks.possible(() -> {
            try (Transport transport = opening.apply(chosen.provider(), chosen.options())) {
                Set<String> topics =
                        names.isEmpty() ? transport.topics() : chosenOf(transport.topics(), names, place(chosen));
                Checks.require(
                        !topics.isEmpty(),
                        chosen.options().get(Subject.DIRECTORY)
                                + " contains no topic and is not a topic: no directory in it contains baton.topic or *.cq4 files."
                                + " Nothing was read");
                return use.applyAsInt(transport, topics);
            }
        });
    }

    /** Describes the location of topics for error texts. */
    private static String place(ChosenTransport chosen) {
        return Stream.of(Subject.BROKERS, Subject.DIRECTORY)
                .map(chosen.options()::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(chosen.provider().name());
    }

    private static String some(Set<String> topics) {
        return topics.isEmpty()
                ? "no topic"
                : topics.stream().sorted().limit(MOST_NAMED).collect(Collectors.joining(", "))
                        + (topics.size() > MOST_NAMED ? " and " + (topics.size() - MOST_NAMED) + " more" : "");
    }

    /** The topics of these names, or of the chains of these names, with all their partitions. */
    private static Set<String> chosenOf(Set<String> topics, List<String> names, String place) {
        Map<String, List<String>> partitions = topics.stream().collect(Collectors.groupingBy(PartitionTopic::base));
        topics.forEach(topic -> partitions.putIfAbsent(topic, List.of(topic)));
        Set<String> chosen = new LinkedHashSet<>();
        for (String name : names) {
            List<String> found = new ArrayList<>(partitions.getOrDefault(name, List.of()));
            int first = partitions.containsKey(name + "-0") ? 0 : 1; // of a chain that begins at another's topic
            for (int i = first; !partitions.containsKey(name) && partitions.containsKey(name + "-" + i); i++) {
                found.addAll(partitions.get(name + "-" + i));
            }
            if (found.isEmpty()) {
                throw CommandException.usage("there is no topic '" + name + "', and no chain of that name, at " + place
                        + "; it has " + some(topics));
            }
            chosen.addAll(found);
        }
        return chosen;
    }
}
