package dev.baton.aeron.ipc;

import dev.baton.aeron.log.FragmentReader;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicStart;
import dev.baton.spi.support.SequenceRanges;
import io.aeron.Image;
import io.aeron.logbuffer.Header;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;

/** The reader of a topic's stream. Confined to the thread that opened it. */
final class AeronReader extends FragmentReader {
    private final AeronTopic topic;
    private final AeronTopic.ConsumerState consumer;
    private final Consumer<AeronReader> onClose;
    private final TopicStart found;
    private SequenceRanges<Incarnation> writers = SequenceRanges.none(); // that the topic had at the last fragment

    AeronReader(AeronTopic topic, AeronTopic.ConsumerState consumer, Image image, Consumer<AeronReader> onClose) {
        super(topic.name);
        this.topic = topic;
        this.consumer = consumer;
        readFrom(image);
        this.onClose = onClose;
        topic.goTo(image, consumer.heldFrom.get());
        long newest = topic.published();
        long acknowledged = consumer.acknowledged.get();
        long start = acknowledged == AeronTopic.ConsumerState.UNSEEN
                ? firstSequence(image, newest + 1, Long.MAX_VALUE) - 1
                : acknowledged;
        consumer.acknowledged.set(start);
        beginBehind(start);
        found = new TopicStart(start, newest, topic.identity);
    }

    /** Checks for another writer before the fragment: a writer is noted before its first fragment is published. */
    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        SequenceRanges<Incarnation> noted = topic.writers();
        if (noted != writers) {
            writers = noted;
            writerMayChange();
        }
        return super.onFragment(buffer, offset, length, header);
    }

    @Override
    protected void free(long position) {
        consumer.heldFrom.setRelease(position);
    }

    @Override
    protected void onAcknowledged(long position) {
        consumer.acknowledged.setRelease(position);
    }

    @Override
    protected long lastOfWriterOf(long sequence) {
        return writers.lastOf(sequence);
    }

    @Override
    protected Incarnation writerOf(long sequence) {
        return writers.at(sequence);
    }

    @Override
    public TopicStart found() {
        return found;
    }

    @Override
    public long backlog() {
        check();
        return Math.max(0, topic.published() - read()); // a frame is read before it is noted
    }

    @Override
    public void close() {
        if (release()) {
            topic.closeConsumer(consumer);
            onClose.accept(this);
        }
    }
}
