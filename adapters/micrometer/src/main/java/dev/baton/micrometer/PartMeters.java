package dev.baton.micrometer;

import dev.baton.status.PartStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** The meters of one part of a chain, which are read from the chain's status. Thread-safe. */
final class PartMeters {
    private static final String MESSAGES = "messages";
    private static final String BYTES = "bytes";

    private final ChainMeters chain;
    private final Registries registries;
    private final Events events;
    private final PartStatus first; // as it was found
    private final Growth consumed = new Growth();
    private final Growth sent = new Growth();
    private final Growth skipped = new Growth();

    PartMeters(ChainMeters chain, Registries registries, Events events, PartStatus first) {
        this.chain = chain;
        this.registries = registries;
        this.events = events;
        this.first = first;
    }

    /** Registers them. */
    void add() {
        String input = first.input() == null ? null : first.input().topic();
        String output = first.output() == null ? null : first.output().topic();
        boolean isWatched = input != null && events.isWatched(chain.name(), chain.instance(), first.name(), input);
        if (input != null) {
            addPosition(tags(input));
        }
        if (output != null) {
            addOutput(tags(output));
        }
        if (first.snapshots() != null) {
            addSnapshots(tags(input));
        }
        if (isWatched) {
            addFailures(tags(input), events.failures(chain.name(), chain.instance(), first.name(), input));
        }
        if (isWatched && output != null) {
            addPressure(tags(output), events.pressure(chain.name(), chain.instance(), first.name(), output));
        }
    }

    /** Stops counting while another process runs the part. */
    void leave() {
        consumed.leave();
        sent.leave();
        skipped.at(0); // which the part counts from its start
    }

    private Tags tags(String topic) {
        return Tags.of("chain", chain.tag(), "service", first.name(), "topic", topic);
    }

    private void addPosition(Tags tags) {
        consumed.at(first.input().consumed());
        skipped.at(0);
        counter(
                "baton.messages.consumed",
                MESSAGES,
                "Messages consumed",
                tags,
                consumed,
                part -> part.input().consumed());
        counter(
                "baton.records.skipped",
                "records",
                "Skipped unreadable records",
                tags,
                skipped,
                part -> part.input().skipped());
        gauge(
                "baton.backlog",
                MESSAGES,
                "Messages stored and not yet consumed",
                tags,
                part -> part.input().backlog());
        age(
                "baton.unread.age",
                "Upper bound of the age of the oldest message not yet consumed",
                tags,
                part -> part.input().unreadNanos());
        age("baton.idle", "Time since the service last did something", tags, PartStatus::idleNanos);
    }

    private void addOutput(Tags tags) {
        sent.at(first.output().sent());
        counter(
                "baton.messages.sent",
                MESSAGES,
                "Messages committed",
                tags,
                sent,
                part -> part.output().sent());
        gauge("baton.unstored", MESSAGES, "Messages committed and not yet stored", tags, PartMeters::unstored);
        age(
                "baton.unstored.age",
                "Lower bound of the age of the oldest message not yet stored",
                tags,
                part -> part.output().unstoredNanos());
    }

    private static long unstored(PartStatus part) {
        return Math.max(0, part.output().sent() - part.output().stored());
    }

    private void addSnapshots(Tags tags) {
        gauge(
                "baton.snapshot.size",
                BYTES,
                "Size of the newest snapshot: of the whole state, or of what changed since the one before",
                tags,
                part -> part.snapshots().bytes());
        gauge(
                "baton.snapshot.recovery.size",
                BYTES,
                "Size of the snapshots that a restart reads",
                tags,
                part -> part.snapshots().recoveryBytes());
        age(
                "baton.snapshot.age",
                "Time since the newest complete snapshot was begun",
                tags,
                part -> part.snapshots().ageNanos());
        age(
                "baton.snapshot.duration",
                "Time that the newest snapshot took",
                tags,
                part -> part.snapshots().savedNanos());
    }

    private void addFailures(Tags tags, Events.Failures failures) {
        registries.add(
                chain,
                registry -> FunctionCounter.builder("baton.message.retries", failures, each -> each.retries.get())
                        .description("Deliveries that follow a failed one")
                        .tags(tags)
                        .register(registry));
        registries.add(
                chain,
                registry -> FunctionCounter.builder("baton.dead.letters", failures, each -> each.deadLetters.get())
                        .description("Messages that the service could not process, stored as dead letters")
                        .tags(tags)
                        .register(registry));
    }

    private void addPressure(Tags tags, Events.Pressure pressure) {
        registries.add(
                chain,
                registry -> FunctionTimer.builder(
                                "baton.back.pressure",
                                pressure,
                                Events.Pressure::times,
                                Events.Pressure::nanos,
                                TimeUnit.NANOSECONDS)
                        .description("Pauses in which the service took no input because its output had no room")
                        .tags(tags)
                        .register(registry));
    }

    private void counter(
            String name,
            String unit,
            String description,
            Tags tags,
            Growth growth,
            ToLongFunction<PartStatus> position) {
        registries.add(
                chain,
                registry -> FunctionCounter.builder(name, this, part -> growth.at(part.now(position)))
                        .description(description)
                        .baseUnit(unit)
                        .tags(tags)
                        .register(registry));
    }

    private void gauge(String name, String unit, String description, Tags tags, ToLongFunction<PartStatus> figure) {
        registries.add(
                chain,
                registry -> Gauge.builder(name, this, part -> orNan(part.now(figure)))
                        .description(description)
                        .baseUnit(unit)
                        .tags(tags)
                        .register(registry));
    }

    private void age(String name, String description, Tags tags, ToLongFunction<PartStatus> nanos) {
        registries.add(
                chain,
                registry -> TimeGauge.builder(name, this, TimeUnit.NANOSECONDS, part -> orNan(part.now(nanos)))
                        .description(description)
                        .tags(tags)
                        .register(registry));
    }

    private static double orNan(long figure) {
        return figure == PartStatus.UNKNOWN ? Double.NaN : figure;
    }

    /** Reads a figure; {@link PartStatus#UNKNOWN} also while the part's loop does not respond. */
    private long now(ToLongFunction<PartStatus> figure) {
        PartStatus part = chain.part(first);
        return part == null ? PartStatus.UNKNOWN : figure.applyAsLong(part);
    }
}
