package dev.baton;

import dev.baton.spi.Opening;
import dev.baton.spi.TopicWriter;
import java.util.function.Supplier;

/** The opening of a {@link HostileTransport}'s writer in two steps: it takes its place in the topic with the first. */
record HostileOpening(Runnable taking, Supplier<TopicWriter> joining, Runnable leaving)
        implements Opening<TopicWriter> {
    @Override
    public void prepare() {
        taking.run();
    }

    @Override
    public TopicWriter finish() {
        try {
            return joining.get();
        } catch (RuntimeException failure) {
            leaving.run();
            throw failure;
        }
    }

    @Override
    public void withdraw() {
        leaving.run();
    }
}
