package dev.baton.aeron.udp;

import dev.baton.aeron.log.BatchWriter;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.StagedBatch;
import dev.baton.aeron.log.StagingPool;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.SequenceRanges;
import java.util.function.Consumer;

/** The writer of a topic, whose frames the topic keeps and sends. Confined to the thread that opened it. */
final class UdpWriter extends BatchWriter {
    private final HostedTopic topic;
    private final UdpLink link;
    private final Consumer<UdpWriter> onClose;

    private SequenceRanges<InputRef> inputs; // of the newest frame that was flushed, and those behind it

    UdpWriter(
            HostedTopic topic,
            UdpLink link,
            HostedTopic.Place place,
            StagingPool pool,
            int maxPayload,
            int window,
            Consumer<UdpWriter> onClose) {
        super(
                topic.name(),
                topic.publication(),
                pool,
                maxPayload,
                0,
                window / FragmentLayout.logBytes(maxPayload),
                place.incarnation(),
                place.newest(),
                place.found());
        this.topic = topic;
        this.link = link;
        this.onClose = onClose;
        inputs = SequenceRanges.<InputRef>none()
                .with(place.newest(), place.found().input());
    }

    @Override
    public long storedSequence() {
        return flushed();
    }

    @Override
    public ConsumerLag slowestConsumer() {
        check();
        return topic.slowest();
    }

    @Override
    public void answers(InputRef input) {
        check();
        SequenceRanges<InputRef> kept = SequenceRanges.<InputRef>none().with(flushed(), inputs.at(flushed()));
        inputs = (inputs.lastOf(flushed()) < sequence() ? inputs : kept).with(sequence() + 1, input);
    }

    @Override
    protected void onRewind() {
        inputs = inputs.rewound(sequence() + 1);
    }

    @Override
    protected boolean isAlive() {
        return link.failure() == null;
    }

    @Override
    protected long availableBytes() {
        return topic.room();
    }

    @Override
    protected long roomAfterFlush() {
        return topic.room();
    }

    @Override
    protected void publish(StagedBatch batch) {
        try {
            topic.publish(batch, flushed() + 1, inputs.at(sequence()));
        } catch (TransportException failed) {
            throw fail(failed);
        }
    }

    /** Sends what the stream did not take; returns the work count. */
    int work() {
        if (failure() != null) {
            return 0;
        }
        try {
            return topic.send();
        } catch (TransportException failed) {
            fail(failed);
            return 1;
        }
    }

    @Override
    protected void closeLog() {
        topic.closeWriter();
        onClose.accept(this);
    }
}
