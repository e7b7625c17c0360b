package dev.baton.engine;

import dev.baton.RunningChain;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.cycle.OutletService;
import dev.baton.engine.plan.ChainPlan;
import dev.baton.engine.plan.ForeignTopic;
import dev.baton.spi.Guarantee;
import dev.baton.spi.StartPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The readers of replies in a process whose chain does not read the last topic itself: one observing consumer for each
 * partition, which begins after the newest message, stores no position and holds nothing back. Thread-safe.
 */
record ReplyReaders(List<RunningChain> readers) implements AutoCloseable {
    /** Opens the readers for a started chain; none if its output handler runs in this process. */
    static ReplyReaders open(ChainStart start) {
        if (start.settings().output != null) {
            return new ReplyReaders(List.of());
        }
        if (!start.transport().guarantees().contains(Guarantee.DURABLE)) {
            throw new IllegalStateException("transport " + start.transport().name()
                    + " is not durable, so that a reader of replies would hold the last topic back; set onOutput(...) in the"
                    + " process that sends the requests, which then reads the replies");
        }
        String reader = "replies-" + Long.toHexString(UUID.randomUUID().getMostSignificantBits());
        List<RunningChain> opened = new ArrayList<>();
        try {
            for (String topic : start.lastTopics()) {
                ChainPlan reading = new ChainPlan(
                        start.name() + ".replies", new ForeignTopic(topic, null, reader, true), List.of());
                opened.add(new ChainStart(reading, start.transport(), settings(start.settings())).start());
            }
            return new ReplyReaders(List.copyOf(opened));
        } catch (RuntimeException | Error failure) {
            opened.forEach(each -> Failures.after(failure, each::close));
            throw failure;
        }
    }

    private static RunSettings settings(RunSettings ofChain) {
        RunSettings reading = new RunSettings();
        reading.loops = ofChain.loops;
        reading.openLimit = ofChain.openLimit;
        reading.unreadable = ofChain.unreadable;
        reading.startAt = StartPosition.latest();
        reading.output = () -> new OutletService(in -> {});
        reading.onFailure = ofChain.replies::failed;
        reading.replies = ofChain.replies;
        reading.isPassive = true;
        return reading;
    }

    @Override
    public void close() {
        RunningChain.closeAll(readers, Duration.ZERO);
    }
}
