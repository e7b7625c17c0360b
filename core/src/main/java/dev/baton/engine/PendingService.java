package dev.baton.engine;

import dev.baton.engine.chain.ChainState;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.cycle.DeadLetterTopic;
import dev.baton.engine.cycle.DutyCycle;
import dev.baton.engine.cycle.InputEnd;
import dev.baton.engine.cycle.Part;
import dev.baton.engine.cycle.PendingPart;
import dev.baton.engine.cycle.RetryTopic;
import dev.baton.engine.cycle.Upstream;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.snapshots.StatefulPart;
import dev.baton.engine.writing.NoOutput;
import dev.baton.engine.writing.PendingOpens;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A service whose topics are not open yet.
 *
 * <p>The snapshot topic of a service with state is opened before its other topics: once it is open, another process that
 * still runs the service cannot write snapshots, so the input that is opened next contains all inputs of the newest
 * snapshot.
 *
 * <p>If two processes start the service at the same time and the newest writer of a topic wins, each of them could own one of its
 * topics. So the topic that is opened first is checked when the others are open. A process that passes has opened the first topic
 * last: another one that replaces it in a further topic does not pass, and handles nothing. Created by the thread that starts the
 * chain, opened by its loop.
 */
final class PendingService extends PendingPart {
    private final PartPlan plan;
    private final ChainState state;
    private final InputEnd end = new InputEnd();
    private final String retries; // its topic; null for none
    private final String checked; // its first topic if it owns several, of which it reads its retries; else null
    private volatile long begunAt = TopicReader.UNKNOWN;

    /** Creates the pending part of a plan, or throws if its policy does not fit the service. */
    PendingService(PartPlan plan, ChainState state) {
        this.plan = plan;
        this.state = state;
        this.retries =
                plan.topics().retries() == null ? null : plan.topics().retries().topic();
        List<String> written = Stream.of(plan.snapshots(), plan.output(), plan.deadLetters(), retries)
                .filter(Objects::nonNull)
                .toList();
        this.checked = written.size() > 1 || retries != null ? written.get(0) : null;
        plan.maxOutputs();
        plan.checkErrors();
    }

    PartPlan plan() {
        return plan;
    }

    /** Sets the part or inlet that feeds the input topic. */
    void follow(Upstream feeding) {
        end.follow(feeding);
    }

    /**
     * Returns the sequence of the input before the first one that is read after the open; {@link TopicReader#UNKNOWN} if it
     * is not known, or the topics are not open yet. Any thread.
     */
    long begunAt() {
        return begunAt;
    }

    @Override
    public String name() {
        return plan.name();
    }

    @Override
    public void begin(PendingOpens openings) {
        if (plan.snapshots() != null) {
            plan.writers().begin(openings, plan.snapshots());
            openings.beginReader(plan.snapshots(), plan.place().consumer(), StartPosition.stored());
        }
        if (plan.output() != null) {
            plan.writers().begin(openings, plan.output());
        }
        if (plan.deadLetters() != null) {
            plan.writers().begin(openings, plan.deadLetters());
        }
        if (retries != null) {
            plan.writers().begin(openings, retries);
            openings.beginReader(retries, plan.place().consumer(), StartPosition.stored());
        }
        if (checked != null) {
            openings.beginCheck(checked);
        }
        openings.beginReader(plan.input(), plan.place().consumer(), plan.edges().startAt());
    }

    @Override
    public Part open(PendingOpens openings, TopicWriter feeder) {
        List<Runnable> closes = new ArrayList<>(); // the topic that was opened last comes first
        try {
            return plan.snapshots() == null
                    ? openStateless(openings, feeder, closes)
                    : openStateful(openings, feeder, closes);
        } catch (Throwable failure) {
            Failures.after(failure, closes.toArray(new Runnable[0]));
            throw failure;
        }
    }

    private DutyCycle openStateless(PendingOpens openings, TopicWriter feeder, List<Runnable> closes) {
        DutyCycle part = new DutyCycle(plan, state, drain(), openTopics(openings, feeder, closes), null);
        closes.clear();
        closes.add(part::close);
        part.start();
        return part;
    }

    private StatefulPart openStateful(PendingOpens openings, TopicWriter feeder, List<Runnable> closes) {
        long startNanos = state.environment().nanoTime();
        TopicWriter writer = openWriter(openings, plan.snapshots(), closes);
        TopicReader reader = openReader(openings, plan.snapshots(), closes);
        DutyCycle.OpenTopics topics = openTopics(openings, feeder, closes);
        StatefulPart part = new StatefulPart(plan, state, drain(), topics, writer, reader, startNanos);
        closes.clear();
        closes.add(part::close);
        part.start();
        return part;
    }

    /** Opens the input behind what is written because of its frames, so that it contains all of these. */
    private DutyCycle.OpenTopics openTopics(PendingOpens openings, TopicWriter feeder, List<Runnable> closes) {
        TopicWriter writer = plan.output() == null ? new NoOutput() : openWriter(openings, plan.output(), closes);
        TopicWriter letters = plan.deadLetters() == null ? null : openWriter(openings, plan.deadLetters(), closes);
        RetryTopic.Ends later = retries == null
                ? null
                : new RetryTopic.Ends(openWriter(openings, retries, closes), openReader(openings, retries, closes));
        if (checked != null) {
            openings.check(checked);
        }
        TopicReader reader = openReader(openings, plan.input(), closes);
        if (openings.awaitsNews()) {
            end.awaited();
        }
        begunAt = reader.found().acknowledged();
        DeadLetterTopic dead = letters == null
                ? null
                : new DeadLetterTopic(plan, letters, reader.found().identity(), state);
        return new DutyCycle.OpenTopics(reader, feeder, end, writer, dead, later);
    }

    private TopicWriter openWriter(PendingOpens openings, String topic, List<Runnable> closes) {
        TopicWriter writer = plan.writers().open(openings, topic);
        closes.add(0, writer::close);
        return writer;
    }

    private static TopicReader openReader(PendingOpens openings, String topic, List<Runnable> closes) {
        TopicReader reader = openings.reader(topic);
        closes.add(0, reader::close);
        return reader;
    }
}
