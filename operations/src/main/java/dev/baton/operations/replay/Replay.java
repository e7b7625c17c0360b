package dev.baton.operations.replay;

import dev.baton.Chain;
import dev.baton.Serde;
import dev.baton.operations.replay.ReplayedService.Place;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicInspector;
import dev.baton.spi.Transport;
import dev.baton.spi.errors.TransportException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A replay of services of a chain over their recorded inputs, which compares their outputs with the recorded ones.
 *
 * <pre>{@code
 * ReplayComparison comparison = Replay.of(chain).only("score", "decide").feed(Feed.NEW).compareWith(recorded, Decision.CODEC);
 * assertThat(comparison.of("decide").fields()).doesNotContainKey("approved");
 * }</pre>
 *
 * <p>The topics are those of the chain's name; {@link Chain#renamed} selects the topics of another run. They are only read: a replay
 * stores no position, creates nothing and holds nothing back, and the chain may run meanwhile. A service begins with an empty state, and
 * its clock shows the recorded time. {@code docs/replay.md} lists the limits. Confined to one thread.
 */
public final class Replay {
    /** The origin of the inputs of a service that follows another replayed service. */
    public enum Feed {
        /** The recorded outputs of the service before, so that each service is compared by itself. */
        RECORDED,
        /** The new outputs of the service before, so that the effects of its change are compared as well. */
        NEW
    }

    private static final int TURNS_PER_LOOK = 64;
    private static final int TOPICS_SHOWN = 6;

    private final Chain chain;
    private List<String> services;
    private List<Serde<?>> codecs = List.of();
    private Feed feed = Feed.RECORDED;
    private ReplayRange range = ReplayRange.ALL;
    private BiConsumer<? super String, ? super ReplayDifference> listener = (service, difference) -> {};
    private Chain against; // null: the recording
    private double speed; // 0: as fast as possible
    private boolean isToTheEnd = true;
    private BiConsumer<Place, RecordedInput> progress = (place, input) -> {};
    private BooleanSupplier isStopped = () -> Thread.currentThread().isInterrupted();

    private Replay(Chain chain) {
        this.chain = chain;
        services = chain.services();
    }

    /**
     * {@return a replay of all services of a chain}
     *
     * @param chain chain whose topics are read and whose services run
     */
    public static Replay of(Chain chain) {
        return new Replay(Objects.requireNonNull(chain, "chain"));
    }

    /**
     * Limits the replay to some services.
     *
     * @param names one or more services of the chain
     * @return this
     * @throws IllegalArgumentException for a name that is not a service of the chain
     */
    public Replay only(String... names) {
        List<String> chosen = List.of(names);
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no service is named; the chain has " + known());
        }
        for (String name : chosen) {
            if (!chain.services().contains(name)) {
                throw new IllegalArgumentException("'" + name + "' is not a service of the chain; it has " + known());
            }
        }
        services = chain.services().stream().filter(chosen::contains).toList();
        return this;
    }

    private String known() {
        return String.join(", ", chain.services());
    }

    /**
     * Sets the origin of the inputs of each service that follows another one.
     *
     * @param origin {@link Feed#RECORDED} by default
     * @return this
     */
    public Replay feed(Feed origin) {
        feed = Objects.requireNonNull(origin, "feed");
        return this;
    }

    /**
     * Limits the replay to inputs that were sent within a time. With {@link Feed#NEW} this limits the inputs of the first service.
     *
     * @param from time of the first input, included
     * @param until time of the last input, included
     * @return this
     */
    public Replay between(Instant from, Instant until) {
        return range(ReplayRange.between(from, until));
    }

    /**
     * Sets the listener for all differences. It runs on the thread of the replay; a difference may be kept.
     *
     * @param called receives the name of the service and the difference
     * @return this
     */
    public Replay onDifference(BiConsumer<? super String, ? super ReplayDifference> called) {
        listener = Objects.requireNonNull(called, "listener");
        return this;
    }

    /**
     * Runs the services over the recorded inputs, and counts all differences between their outputs and the recorded ones. May take
     * long; stops if the thread is interrupted.
     *
     * @param recorded transport with the topics, best opened with {@link dev.baton.spi.TransportProvider#openForInspection}
     * @param decoders codecs of the outputs, one for each type of message, to count differences by field
     * @return the result, up to the last input that the recorded service had answered
     * @throws IllegalArgumentException if two codecs have the same type, or if services that are fed with new outputs are not in a row
     * @throws TransportException if a topic does not exist or cannot be read
     */
    public ReplayComparison compareWith(Transport recorded, Serde<?>... decoders) {
        codecs = List.of(decoders);
        return run(recorded, recorded.topics());
    }

    Replay range(ReplayRange inputs) {
        range = inputs;
        return this;
    }

    Replay decoding(Collection<Serde<?>> decoders) {
        codecs = List.copyOf(decoders);
        return this;
    }

    /** Compares with another build instead of the recorded outputs; null: with these. */
    Replay against(Chain other) {
        against = other;
        return this;
    }

    /** Sets the speed relative to the recorded time; 0: as fast as possible. */
    Replay speed(double factor) {
        speed = factor;
        return this;
    }

    /** Ends the replay of each service at its first difference. */
    Replay firstOnly() {
        isToTheEnd = false;
        return this;
    }

    Replay onProgress(BiConsumer<Place, RecordedInput> called) {
        progress = called;
        return this;
    }

    Replay stopWhen(BooleanSupplier condition) {
        isStopped = condition;
        return this;
    }

    Chain chain() {
        return chain;
    }

    Chain against() {
        return against;
    }

    RecordedInput.Pace pace() {
        return speed == 0 ? RecordedInput.Pace.MAX : new RecordedInput.Pace(speed);
    }

    Expected.Comparing comparing(Place place, boolean isFirst) {
        return new Expected.Comparing(
                isToTheEnd && (isFirst || feed == Feed.NEW),
                new Codecs(place.output(), codecs),
                isFirst ? difference -> listener.accept(place.service(), difference) : difference -> {});
    }

    /** Runs the services over those of a transport's topics that are chosen. */
    ReplayComparison run(Transport recorded, Set<String> topics) {
        if (feed == Feed.NEW) {
            checkFeed();
        }
        List<List<Place>> runs = new ArrayList<>(); // of one service, or of services in a row
        for (String service : services) {
            for (Place place : places(service, recorded, topics)) {
                List<Place> run = feed == Feed.NEW ? endingAt(runs, place.input()) : null;
                if (run == null) {
                    run = new ArrayList<>();
                    runs.add(run);
                }
                run.add(place);
            }
        }
        List<ReplayComparison.Part> parts = new ArrayList<>();
        for (List<Place> run : runs) {
            if (!isStopped.getAsBoolean()) {
                parts.addAll(compared(run));
            }
        }
        parts.sort(
                Comparator.comparing(part -> services.indexOf(part.service()))); // stable: partitions keep their order
        return new ReplayComparison(parts);
    }

    private static List<Place> endingAt(List<List<Place>> runs, String topic) {
        return runs.stream()
                .filter(run -> run.get(run.size() - 1).output().equals(topic))
                .findFirst()
                .orElse(null);
    }

    private void checkFeed() {
        int first = chain.services().indexOf(services.get(0));
        if (!services.equals(chain.services().subList(first, first + services.size()))) {
            throw new IllegalArgumentException("services " + String.join(", ", services)
                    + " are not in a row, so new outputs of one do not reach the next; the chain has " + known());
        }
        if (against != null) {
            throw new IllegalArgumentException(
                    "new outputs are compared with recorded ones, not with those of another build; choose one of both");
        }
    }

    /** Compares services in a row, and once more where one differs, to find out whether it is repeatable. */
    private List<ReplayComparison.Part> compared(List<Place> run) {
        ReplayRange inputs = untilNow(run.get(0));
        List<ReplayComparison.Part> first = once(run, inputs, true);
        if (isStopped.getAsBoolean() || first.stream().allMatch(part -> part.difference() == null)) {
            return first;
        }
        List<ReplayComparison.Part> second = once(run, inputs, false);
        List<ReplayComparison.Part> parts = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            ReplayDifference difference = first.get(i).difference();
            boolean isRepeated = difference == null
                    || isStopped.getAsBoolean()
                    || difference.isRepeatedBy(second.get(i).difference());
            parts.add(isRepeated ? first.get(i) : first.get(i).notRepeatable());
        }
        return parts;
    }

    private ReplayRange untilNow(Place place) {
        try (TopicInspector inspector = place.transport().inspect(place.input())) {
            return range.until(inspector.newestSequence());
        }
    }

    private List<ReplayComparison.Part> once(List<Place> run, ReplayRange inputRange, boolean isFirst) {
        Deque<ServiceReplay> replays = new ArrayDeque<>(); // the last one first: it makes those before it advance
        try {
            TopicInspector inputs = run.get(0).transport().inspect(run.get(0).input());
            for (int i = 0; i < run.size(); i++) {
                NewOutputs outputs = i + 1 < run.size() ? new NewOutputs() : null;
                replays.push(new ServiceReplay(
                        this, run.get(i), inputs, i == 0 ? inputRange : ReplayRange.ALL, outputs, isFirst));
                inputs = outputs;
            }
            List<ReplayComparison.Part> parts = new ArrayList<>();
            while (!replays.isEmpty()) {
                try (ServiceReplay replay = replays.pop()) {
                    advance(replay);
                    parts.add(0, replay.result());
                }
            }
            return parts;
        } finally {
            replays.forEach(ServiceReplay::close);
        }
    }

    private void advance(ServiceReplay replay) {
        boolean isMore = true;
        while (isMore && !isStopped.getAsBoolean()) {
            for (int i = 0; i < TURNS_PER_LOOK && isMore; i++) {
                isMore = replay.advance();
            }
            progress.accept(replay.place(), replay.input());
        }
    }

    /** The topics of a service, of each partition. */
    private List<Place> places(String service, Transport recorded, Set<String> topics) {
        int index = chain.services().indexOf(service);
        String input = chain.topic(0, index);
        String output = chain.topic(0, index + 1);
        List<Place> places = topics.stream()
                .filter(topic -> PartitionTopic.base(topic).equals(input))
                .sorted()
                .map(topic -> new Place(
                        recorded,
                        service,
                        topic,
                        output + topic.substring(PartitionTopic.base(topic).length())))
                .toList();
        Stream<String> needed =
                places.isEmpty() ? Stream.of(input) : places.stream().map(Place::output);
        needed.filter(topic -> !topics.contains(topic)).findFirst().ifPresent(topic -> {
            throw new TransportException("there is no topic '" + topic + "', which service " + service
                    + (topic.equals(input) ? " reads" : " writes")
                    + "; --name names the run, whose topics begin with it; there are "
                    + topics.stream().sorted().limit(TOPICS_SHOWN).collect(Collectors.joining(", "))
                    + (topics.size() > TOPICS_SHOWN ? " and others" : ""));
        });
        return places;
    }
}
