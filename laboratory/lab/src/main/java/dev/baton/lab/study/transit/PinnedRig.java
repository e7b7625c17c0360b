package dev.baton.lab.study.transit;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.data.TransportProperties;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.MessageSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A rig whose sending and receiving thread are each bound to a CPU, by themselves: the one in its first turn, the other
 * when its first message comes, which is a warm-up's. Called by the trial's thread alone.
 */
final class PinnedRig implements ChainRig {
    private final ChainRig rig;
    private final List<Integer> cpus;

    private PinnedRig(ChainRig rig, List<Integer> cpus) {
        this.rig = rig;
        this.cpus = cpus;
    }

    /** The rig itself when there is no CPU to bind to. */
    static ChainRig over(ChainRig rig, List<Integer> cpus) {
        return cpus.isEmpty() ? rig : new PinnedRig(rig, cpus);
    }

    @Override
    public TransportProperties properties() {
        return rig.properties();
    }

    /** Besides, finds out whether threads can be bound at all. */
    @Override
    public void prepare(int instances) {
        cpus.forEach(ThreadPin::check);
        rig.prepare(instances);
    }

    @Override
    public void start(ChainEnds instance) {
        rig.start(new PinnedEnds(instance, cpus));
    }

    @Override
    public Optional<Failure> failure() {
        return rig.failure();
    }

    @Override
    public void stop(Duration limit) {
        rig.stop(limit);
    }

    @Override
    public boolean isDrained(int instance) {
        return rig.isDrained(instance);
    }

    @Override
    public boolean hadTimeToDrain(int instance) {
        return rig.hadTimeToDrain(instance);
    }

    @Override
    public void close() {
        rig.close();
    }

    /** Ends that bind their threads. Each end is confined to its thread. */
    private record PinnedEnds(ChainEnds ends, MessageSource generator, MessageSink receiver) implements ChainEnds {
        PinnedEnds(ChainEnds ends, List<Integer> cpus) {
            this(
                    ends,
                    new PinnedSource(ends.generator(), new ThreadPin(cpus.get(0))),
                    pinned(ends.receiver(), new ThreadPin(cpus.get(1))));
        }

        private static MessageSink pinned(MessageSink sink, ThreadPin pin) {
            return (originNanos, tag, hops, length, payload) -> {
                pin.bind();
                sink.onMessage(originNanos, tag, hops, length, payload);
            };
        }

        @Override
        public int index() {
            return ends.index();
        }

        @Override
        public PayloadPattern pattern() {
            return ends.pattern();
        }
    }
}
