package dev.baton.engine.inlet;

import dev.baton.Source.SourceContext;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.InputRef;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.TopicWriter;

/**
 * The context of a {@link SourcePart}'s source. A position is stored as the cause of its messages, plus one, because 0
 * means that there is no cause. Confined to its loop.
 */
final class FeedContext implements SourceContext {
    private final String chain;
    private final int instance;
    private final int partitions;
    private final String topic;
    private final WriterOutlet outlet;
    private final Environment environment;

    FeedContext(
            String chain, int instance, int partitions, String topic, WriterOutlet outlet, Environment environment) {
        this.chain = chain;
        this.instance = instance;
        this.partitions = partitions;
        this.topic = topic;
        this.outlet = outlet;
        this.environment = environment;
    }

    TopicWriter writer() {
        return outlet.writer();
    }

    @Override
    public String chain() {
        return chain;
    }

    @Override
    public int instance() {
        return instance;
    }

    @Override
    public int partition() {
        return partitions == 1 ? 0 : PartitionTopic.partition(topic);
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public long nanoTime() {
        return environment.nanoTime();
    }

    @Override
    public long resume(long input) {
        if (input == 0) {
            throw new IllegalArgumentException("an input of identity 0, which stands for an unknown one");
        }
        TopicWriter writer = outlet.writer();
        boolean isSame = writer.found().input().topic() == input;
        writer.answers(new InputRef(input, 0));
        return isSame ? Cause.input(writer.found().cause()) - 1 : NO_POSITION;
    }

    @Override
    public void position(long position) {
        if (position < 0 || position >= Cause.MAX_INPUT) {
            throw new IllegalArgumentException(
                    "position " + position + "; 0 to " + (Cause.MAX_INPUT - 1) + " is allowed");
        }
        outlet.causedBy(position + 1);
    }
}
